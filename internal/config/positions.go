package config

import (
	"strconv"
	"strings"
)

// Positions maps each value of a configuration to where it stands in the file or in a
// preset.
type Positions struct {
	file     string
	root     *node
	sources  map[string]sourcePosition
	warnings Problems
}

type sourcePosition struct {
	path   string
	ruling ruling
	sound  bool
}

// Sound reports whether a source's request, pagination and mapping have no mistake,
// so that checking them further makes sense.
func (p *Positions) Sound(id string) bool { return p.sources[id].sound }

// Warnings returns the warnings about a valid configuration.
func (p *Positions) Warnings() Problems { return p.warnings }

// Of returns the place of a path such as sources[0].map.key[1].value, or that of its
// nearest parent if the file does not have it.
func (p *Positions) Of(path string) Place {
	at := Place{File: p.file, Line: 1, Column: 1}
	n := p.root
	for _, step := range steps(path) {
		if n = n.step(step); n == nil {
			break
		}
		at = n.at
	}
	return at
}

// Source returns the whole path and the place of a path inside a source, such
// as map.status.
func (p *Positions) Source(id, path string) (string, Place) {
	whole := p.sources[id].path
	if path != "" {
		whole += "." + path
	}
	return whole, p.Of(whole)
}

// Policy returns where each value of a source's policy comes from.
func (p *Positions) Policy(id string) ([]Setting, bool) {
	s, ok := p.sources[id]
	if !ok {
		return nil, false
	}
	return s.ruling.settings(), true
}

// step descends by a field's name, or into a list by "[n]".
func (n *node) step(step string) *node {
	number, isIndex := strings.CutPrefix(step, "[")
	if n == nil || !isIndex {
		return n.find(step)
	}
	i, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
	if err != nil || i < 0 || i >= len(n.items) {
		return nil
	}
	return n.items[i]
}

// steps splits a path: sources[0].id is sources, [0], id.
func steps(path string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(path, "[", ".["), func(r rune) bool { return r == '.' })
}
