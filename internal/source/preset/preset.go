// Package preset holds ready source definitions, one YAML file a vendor. Each
// has the form of one entry of the configuration's sources, with ${name} where
// a parameter goes, and a params map that declares every parameter:
// description, default or required, and the pattern its value must match
// whole.
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
	// As files they are in another order: a hyphen is before a dot.
	slices.Sort(files)
	return files
}
