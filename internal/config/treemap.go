package config

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// mapping converts a mapping's fields, refuses a duplicate field (YAML libraries
// silently keep one of the two) and resolves merge keys (<<).
func (c *converter) mapping(n *node, y *yaml.Node, depth int) {
	n.entries = make([]entry, 0, len(y.Content)/2)
	first := make(map[string]int, len(y.Content)/2)
	var merges []*yaml.Node
	for i := 0; i+1 < len(y.Content) && !c.full; i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch line, twice := first[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			c.r.fail(c.place(y.Content[i]), "", "a field's name must be plain text", "")
		case key.Tag == "!!merge":
			merges = append(merges, value)
		case twice:
			c.r.fail(c.place(key), "", fmt.Sprintf("the field %s is given twice, first in line %d", show(key.Value), line), "keep one of them")
		default:
			first[key.Value] = key.Line
			n.entries = append(n.entries, entry{key.Value, c.place(y.Content[i]), c.convert(value, depth+1)})
		}
	}
	for _, m := range merges {
		c.merge(n, m, depth)
	}
}

// merge adds the fields of a merge key that the mapping itself lacks; of several
// merged mappings the first one wins, as YAML's merge type says
// (https://yaml.org/type/merge.html).
func (c *converter) merge(n *node, value *yaml.Node, depth int) {
	m := c.convert(value, depth+1)
	sources := []*node{m}
	if m.kind == listNode {
		sources = m.items
	}
	for _, s := range sources {
		if s.kind != mappingNode {
			c.r.fail(c.place(value), "", "<< takes an alias of fields, or a list of such aliases", "")
			return
		}
		for _, e := range s.entries {
			if n.find(e.key) == nil {
				n.entries = append(n.entries, e)
			}
		}
	}
}
