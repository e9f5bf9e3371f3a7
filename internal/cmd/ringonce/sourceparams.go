package main

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// paramsOf lists the parameters that a preset declares, in order.
func paramsOf(data []byte) []string {
	var file struct {
		Params yaml.Node `yaml:"params"`
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		return nil // the presets' own tests say so
	}
	var out []string
	for pair := range slices.Chunk(file.Params.Content, 2) {
		var p struct {
			Description string `yaml:"description"`
			Default     string `yaml:"default"`
			Required    bool   `yaml:"required"`
		}
		if len(pair) < 2 || pair[1].Decode(&p) != nil {
			continue
		}
		need := "required"
		if !p.Required {
			need = "default " + p.Default
		}
		out = append(out, fmt.Sprintf("%s (%s): %s", pair[0].Value, need, p.Description))
	}
	return out
}
