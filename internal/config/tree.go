package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Bounds of a file. They keep a mistake (a wrong file, an alias that doubles itself)
// from taking a function's memory or time.
const (
	maxFileBytes = 1 << 20
	maxNodes     = 100_000
	maxDepth     = 64
)

// parseTree parses one YAML document. It returns nil if the rest cannot be read,
// which has then been reported.
func (r *reader) parseTree(file string, data []byte) *node {
	whole := Place{File: file}
	if len(data) > maxFileBytes {
		r.fail(whole, "", fmt.Sprintf("the file is larger than %d bytes", maxFileBytes), "is it the right file?")
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		r.fail(whole, "", "the file is empty", "start from the example configuration, infra/ringonce.yaml")
		return nil
	case err != nil:
		r.syntax(file, data, err)
		return nil
	}
	var second yaml.Node
	switch err := dec.Decode(&second); {
	case err == nil:
		r.fail(Place{file, second.Line, second.Column}, "", "a second YAML document starts here", "keep one document: remove the --- line")
	case !errors.Is(err, io.EOF):
		r.syntax(file, data, err)
	}
	if len(doc.Content) == 0 {
		return nil
	}
	c := converter{r: r, file: file}
	tree := c.convert(doc.Content[0], 0)
	if c.full {
		return nil // half a file would be reported as missing its other half
	}
	return tree
}

// converter converts the library's nodes to ours.
type converter struct {
	r     *reader
	file  string
	nodes int
	full  bool
}

func (c *converter) place(y *yaml.Node) Place { return Place{c.file, y.Line, y.Column} }

func (c *converter) convert(y *yaml.Node, depth int) *node {
	c.nodes++
	if c.full || c.nodes > maxNodes || depth > maxDepth {
		c.overflow(y, depth)
		return &node{at: c.place(y), hollow: true}
	}
	n := &node{at: c.place(y)}
	switch y.Kind {
	case yaml.AliasNode:
		return c.convert(y.Alias, depth+1)
	case yaml.MappingNode:
		n.kind = mappingNode
		c.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.kind = listNode
		n.items = make([]*node, len(y.Content))
		for i, item := range y.Content {
			n.items[i] = c.convert(item, depth+1)
		}
	default:
		c.scalar(n, y)
	}
	return n
}

// overflow reports a file that is too deep or, with its aliases expanded, too large.
// It reports it once: a doubling alias would fill the report.
func (c *converter) overflow(y *yaml.Node, depth int) {
	if c.full {
		return
	}
	c.full = true
	if depth > maxDepth {
		c.r.fail(c.place(y), "", fmt.Sprintf("nested deeper than %d levels", maxDepth), "is there an alias inside its own anchor?")
		return
	}
	c.r.fail(c.place(y), "", fmt.Sprintf("more than %d values, counting every use of an alias", maxNodes), "use fewer aliases")
}

func (c *converter) scalar(n *node, y *yaml.Node) {
	switch y.Tag {
	case "!!null":
		return
	case "!!int", "!!float":
		n.number = true
	case "!!str", "!!bool", "!!timestamp", "!!merge":
	default:
		c.r.fail(n.at, "", "a YAML type tag (!…) is not used here", "write the plain value")
		n.hollow = true
	}
	n.kind, n.text = scalarNode, y.Value
}
