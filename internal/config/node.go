package config

// nodeKind is the shape of a node.
type nodeKind uint8

const (
	nullNode nodeKind = iota
	scalarNode
	mappingNode
	listNode
)

// node is one value of the file, with its place. Unlike the YAML library's node, its
// aliases are resolved, it knows its file (a source and its preset come from
// different ones), and it never changes.
type node struct {
	kind nodeKind
	at   Place
	// text is a scalar as written; number says that it is a plain number.
	text   string
	number bool
	// hollow marks a value whose parameter could not be filled in; that has been
	// reported, so readers skip it silently.
	hollow  bool
	entries []entry
	items   []*node
}

// entry is one field of a mapping.
type entry struct {
	key   string
	at    Place
	value *node
}

// find returns the value of a field, nil when the mapping does not have it.
func (n *node) find(key string) *node {
	if n == nil || n.kind != mappingNode {
		return nil
	}
	for i := range n.entries {
		if n.entries[i].key == key {
			return n.entries[i].value
		}
	}
	return nil
}

// with returns a copy of the mapping with one field replaced, or removed when
// the value is nil.
func (n *node) with(key string, value *node) *node {
	c := *n
	c.entries = make([]entry, 0, len(n.entries))
	for _, e := range n.entries {
		if e.key == key {
			if value == nil {
				continue
			}
			e.value = value
		}
		c.entries = append(c.entries, e)
	}
	return &c
}

// describe names the shape for a message, without the content.
func (n *node) describe() string {
	switch n.kind {
	case scalarNode:
		return "a single value"
	case mappingNode:
		return "fields"
	case listNode:
		return "a list"
	default:
		return "nothing"
	}
}
