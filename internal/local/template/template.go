package template

import (
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Template is a parsed template without a stack name.
type Template struct {
	parameters map[string]parameter
	resources  []rawResource
}

type parameter struct {
	Type    string  `yaml:"Type"`
	Default *string `yaml:"Default"`
}

// list reports whether the parameter's value is a list, separated by commas.
func (p parameter) list() bool {
	return p.Type == "CommaDelimitedList" || strings.HasPrefix(p.Type, "List<")
}

type rawResource struct {
	id         string
	kind       string
	properties *yaml.Node
}

// Load reads a template from a file.
func Load(path string) (*Template, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the stack's template: %w", err)
	}
	t, err := Parse(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Parse reads a template.
func Parse(content []byte) (*Template, error) {
	var raw struct {
		Parameters map[string]parameter `yaml:"Parameters"`
		Resources  yaml.Node            `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(content, &raw); err != nil {
		return nil, err
	}
	if raw.Resources.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("want a mapping named Resources")
	}
	t := &Template{parameters: raw.Parameters}
	for id, node := range pairs(&raw.Resources) {
		r, err := parseResource(id, node)
		if err != nil {
			return nil, err
		}
		t.resources = append(t.resources, r)
	}
	return t, nil
}

func parseResource(id, node *yaml.Node) (rawResource, error) {
	var r struct {
		Type       string    `yaml:"Type"`
		Properties yaml.Node `yaml:"Properties"`
	}
	if err := node.Decode(&r); err != nil {
		return rawResource{}, fmt.Errorf("line %d: resource %s: %w", id.Line, id.Value, err)
	}
	if r.Type == "" {
		return rawResource{}, fmt.Errorf("line %d: resource %s has no Type", id.Line, id.Value)
	}
	return rawResource{id: id.Value, kind: r.Type, properties: &r.Properties}, nil
}
