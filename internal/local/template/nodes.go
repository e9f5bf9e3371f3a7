package template

import (
	"iter"
	"strings"

	"go.yaml.in/yaml/v3"
)

// pairs yields the keys and values of a mapping, in the order of the file.
func pairs(mapping *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; i+1 < len(mapping.Content); i += 2 {
			if !yield(mapping.Content[i], mapping.Content[i+1]) {
				return
			}
		}
	}
}

// function returns the name and argument of an intrinsic function, written as a
// tag (!Sub x) or as a mapping of one key (Fn::Sub: x).
func function(n *yaml.Node) (name string, argument *yaml.Node, ok bool) {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		plain := *n
		plain.Tag = ""
		if n.Kind == yaml.ScalarNode {
			plain.Tag = "!!str"
		}
		return strings.TrimPrefix(n.Tag, "!"), &plain, true
	}
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 {
		key := n.Content[0].Value
		if name, long := strings.CutPrefix(key, "Fn::"); long || key == "Ref" || key == "Condition" {
			return name, n.Content[1], true
		}
	}
	return "", nil, false
}
