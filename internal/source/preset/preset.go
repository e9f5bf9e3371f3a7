// Package preset holds ready source definitions, one YAML file per vendor. Each has
// the form of one entry of the configuration's sources, with ${name} in place of a
// parameter, and a params map that declares every parameter: its description, whether
// it has a default or is required, and the pattern that its whole value must match.
package preset

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// FS holds the definitions, as NAME.yaml.
//
//go:embed *.yaml
var FS embed.FS

// Names returns the names of all presets, sorted.
func Names() []string {
	files, _ := fs.Glob(FS, "*.yaml")
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, ".yaml")
	}
	// The files are sorted with their extension, where a hyphen sorts before the dot.
	slices.Sort(files)
	return files
}
