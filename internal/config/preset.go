package config

import (
	"io/fs"
	"strings"
)

// PresetDir precedes a preset's name where a problem names its file.
const PresetDir = "preset/"

// preset is a ready source definition: one source entry, plus the parameters
// that it declares.
type preset struct {
	name   string
	data   []byte
	node   *node
	params []param
	// credential describes the credential that a source needs; empty if it needs
	// none.
	credential string
}

// userFields are what a preset cannot know: the id and owner of a source, and what a
// person does about its incidents.
var userFields = []string{"id", "preset", "owner", "operator_action"}

// preset returns the preset that a source names, nil if there is none or it is
// invalid. Each preset is read once.
func (b *builder) preset(f *fields) *preset {
	name := f.text("preset")
	if name == "" {
		return nil
	}
	if p, ok := b.presets[name]; ok {
		return p
	}
	var data []byte
	if b.fs != nil && isID(name) {
		data, _ = fs.ReadFile(b.fs, name+".yaml")
	}
	if data == nil {
		f.fail("preset", "there is no preset "+show(name), didYouMean(name, b.presetNames()))
		return nil
	}
	p := b.readPreset(name, data)
	b.presets[name] = p
	return p
}

func (b *builder) presetNames() []string {
	if b.fs == nil {
		return nil
	}
	files, _ := fs.Glob(b.fs, "*.yaml") // the pattern is sound, and nothing else fails here
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, ".yaml")
	}
	return files
}

func (b *builder) readPreset(name string, data []byte) *preset {
	file := PresetDir + name + ".yaml"
	p := &preset{name: name, data: data}
	tree := b.r.parseTree(file, data)
	if tree == nil {
		return p
	}
	f := b.r.fields(tree, "", Place{File: file})
	if f.node == nil {
		return p
	}
	for _, field := range userFields {
		if at, ok := f.given(field); ok {
			b.r.fail(at, field, "a preset cannot set this", "leave it to the source that uses the preset")
			tree = tree.with(field, nil)
		}
	}
	p.params = readParams(f)
	if n := f.node.find("credential"); n != nil {
		p.credential = n.text
	}
	p.node = tree.with("params", nil).with("credential", nil)
	return p
}
