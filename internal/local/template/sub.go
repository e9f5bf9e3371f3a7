package template

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// placeholder matches ${Name} in a Sub; ${!Name} is the literal text ${Name}.
var placeholder = regexp.MustCompile(`\$\{([^}]*)\}`)

// sub substitutes a text. If a part cannot be resolved here, the whole text is
// Unresolved, with the resolved parts substituted.
func (s *Stack) sub(n *yaml.Node) (any, error) {
	text, own, err := s.subArguments(n)
	if err != nil {
		return nil, err
	}
	open := false
	filled := placeholder.ReplaceAllStringFunc(text, func(p string) string {
		value, subErr := s.fillIn(strings.TrimSpace(p[2:len(p)-1]), own, n.Line)
		if subErr != nil && err == nil {
			err = subErr
		}
		if found, ok := value.(string); ok {
			return found
		}
		open = true
		return p
	})
	if err != nil {
		return nil, err
	}
	if open {
		return Unresolved{Function: "Sub", Argument: filled}, nil
	}
	return filled, nil
}

func (s *Stack) fillIn(name string, own map[string]any, line int) (any, error) {
	if literal, ok := strings.CutPrefix(name, "!"); ok {
		return "${" + literal + "}", nil
	}
	if value, ok := own[name]; ok {
		return value, nil
	}
	if resource, _, dotted := strings.Cut(name, "."); dotted {
		if _, known := s.names[resource]; known {
			return Reference{}, nil
		}
	}
	return s.ref(&yaml.Node{Value: name, Line: line})
}

// subArguments reads both forms of Sub: a text, or a text and values for it.
func (s *Stack) subArguments(n *yaml.Node) (string, map[string]any, error) {
	if n.Kind == yaml.ScalarNode {
		return n.Value, nil, nil
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 || n.Content[1].Kind != yaml.MappingNode {
		return "", nil, fmt.Errorf("line %d: Sub: want a text, or a text and a mapping", n.Line)
	}
	own, err := s.mapping(n.Content[1])
	if err != nil {
		return "", nil, err
	}
	return n.Content[0].Value, own.(map[string]any), nil
}
