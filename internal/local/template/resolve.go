package template

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// noValue is AWS::NoValue: whatever has this value is omitted.
type noValue struct{}

func (s *Stack) resolve(n *yaml.Node) (any, error) {
	if n.Kind == yaml.AliasNode {
		return nil, fmt.Errorf("line %d: alias *%s: write it out, CloudFormation takes none", n.Line, n.Value)
	}
	if name, argument, ok := function(n); ok {
		return s.call(name, argument)
	}
	switch n.Kind {
	case yaml.MappingNode:
		return s.mapping(n)
	case yaml.SequenceNode:
		return s.sequence(n)
	default:
		return scalar(n)
	}
}

func (s *Stack) mapping(n *yaml.Node) (any, error) {
	m := make(map[string]any, len(n.Content)/2)
	for key, value := range pairs(n) {
		if _, twice := m[key.Value]; twice {
			return nil, fmt.Errorf("line %d: %s is given twice", key.Line, key.Value)
		}
		v, err := s.resolve(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key.Value, err)
		}
		if v != (noValue{}) {
			m[key.Value] = v
		}
	}
	return m, nil
}

func (s *Stack) sequence(n *yaml.Node) (any, error) {
	list := []any{}
	for i, value := range n.Content {
		v, err := s.resolve(value)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
		if v != (noValue{}) {
			list = append(list, v)
		}
	}
	return list, nil
}

// scalar keeps a date, such as a policy's Version, as its text.
func scalar(n *yaml.Node) (any, error) {
	if n.Tag == "!!timestamp" {
		return n.Value, nil
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, fmt.Errorf("line %d: %w", n.Line, err)
	}
	return v, nil
}

func (s *Stack) call(name string, argument *yaml.Node) (any, error) {
	switch name {
	case "Ref":
		return s.ref(argument)
	case "GetAtt":
		return getAtt(argument)
	case "Sub":
		return s.sub(argument)
	case "Join":
		return s.join(argument)
	}
	v, err := s.resolve(argument)
	return Unresolved{Function: name, Argument: v}, err
}

func (s *Stack) ref(n *yaml.Node) (any, error) {
	if n.Value == "AWS::NoValue" {
		return noValue{}, nil
	}
	if value, ok := s.values[n.Value]; ok {
		if s.lists[n.Value] {
			return split(value), nil
		}
		return value, nil
	}
	name, ok := s.names[n.Value]
	switch {
	case !ok:
		return nil, fmt.Errorf("line %d: Ref to %q, which is neither a parameter nor a resource", n.Line, n.Value)
	case name != "":
		return name, nil
	default:
		return Reference{Resource: n.Value}, nil
	}
}

// split turns the value of a list parameter into a list; an empty one has one empty
// element, as in CloudFormation.
func split(value string) []any {
	list := []any{}
	for element := range strings.SplitSeq(value, ",") {
		list = append(list, strings.TrimSpace(element))
	}
	return list
}

func getAtt(n *yaml.Node) (any, error) {
	resource, attribute, ok := strings.Cut(n.Value, ".")
	if n.Kind == yaml.SequenceNode && len(n.Content) == 2 {
		resource, attribute, ok = n.Content[0].Value, n.Content[1].Value, true
	}
	if !ok {
		return nil, fmt.Errorf("line %d: GetAtt: want Resource.Attribute", n.Line)
	}
	return Reference{Resource: resource, Attribute: attribute}, nil
}

func (s *Stack) join(n *yaml.Node) (any, error) {
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		return nil, fmt.Errorf("line %d: Join: want a delimiter and a list", n.Line)
	}
	list, err := s.resolve(n.Content[1])
	if err != nil {
		return nil, err
	}
	texts, ok := allTexts(list)
	if !ok {
		return Unresolved{Function: "Join", Argument: []any{n.Content[0].Value, list}}, nil
	}
	return strings.Join(texts, n.Content[0].Value), nil
}

func allTexts(list any) ([]string, bool) {
	elements, ok := list.([]any)
	texts := make([]string, len(elements))
	for i, e := range elements {
		text, isText := e.(string)
		texts[i], ok = text, ok && isText
	}
	return texts, ok
}
