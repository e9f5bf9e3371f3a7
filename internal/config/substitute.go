package config

import "strings"

// filled are the fields of a source in which ${name} stands for a parameter.
var filled = []string{"absent", "failing_within", "request", "discovery", "rate_limit", "pagination", "map", "canary", "enrich"}

// fill replaces the parameters in all fields that say how a source is read and what
// its answers mean.
func (r *reader) fill(source *node, path string, args map[string]*string) *node {
	for _, name := range filled {
		if part := source.find(name); part != nil {
			source = source.with(name, r.substitute(part, join(path, name), args))
		}
	}
	return source
}

// substitute returns the node with every text filled in; a node without parameters is
// returned unchanged.
func (r *reader) substitute(n *node, path string, args map[string]*string) *node {
	c := *n
	switch n.kind {
	case scalarNode:
		if !strings.Contains(n.text, "${") {
			return n
		}
		r.expand(&c, path, args)
	case mappingNode:
		c.entries = make([]entry, len(n.entries))
		for i, e := range n.entries {
			e.value = r.substitute(e.value, join(path, e.key), args)
			c.entries[i] = e
		}
	case listNode:
		c.items = make([]*node, len(n.items))
		for i, item := range n.items {
			c.items[i] = r.substitute(item, index(path, i), args)
		}
	}
	return &c
}

// expand fills one text: ${name} is the parameter, $${ a literal ${. Values are not
// expanded again.
func (r *reader) expand(n *node, path string, args map[string]*string) {
	var b strings.Builder
	for rest := n.text; ; {
		before, after, found := strings.Cut(rest, "${")
		b.WriteString(before)
		if !found {
			break
		}
		if strings.HasSuffix(before, "$") {
			b.WriteString("{")
			rest = after
			continue
		}
		name, tail, closed := strings.Cut(after, "}")
		value, known := args[name]
		switch {
		case !closed:
			r.fail(n.at, path, "a ${ is not closed", "write ${name}, or $${ for the two characters themselves")
			n.hollow = true
			return
		case !known:
			r.fail(n.at, path, "there is no parameter "+show(name), unknownParam(name, args))
			n.hollow = true
		case value == nil:
			n.hollow = true
		default:
			b.WriteString(*value)
		}
		rest = tail
	}
	n.text = b.String()
	// A parameter may be a number where YAML saw a text.
	n.number = n.number || isNumber(n.text)
}

func unknownParam(name string, args map[string]*string) string {
	if fix := didYouMean(name, sortedKeys(args)); fix != "" {
		return fix
	}
	return "parameters come from a preset; for the two characters themselves write $${, for a secret env:VARIABLE"
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
