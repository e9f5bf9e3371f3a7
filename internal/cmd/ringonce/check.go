package main

import (
	"strings"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/source"
)

// checkSources runs the checks of the adapter that will run the sources: among
// others, whether their jq programs compile. Of a source with mistakes in the
// configuration, only the file's own programs without a reported mistake are checked:
// anything else may be a consequence.
func checkSources(name string, d config.Draft) config.Problems {
	var problems config.Problems
	for _, src := range d.Config.Sources {
		sound := d.Positions.Sound(src.ID)
		for _, f := range source.Check(src) {
			path, at := d.Positions.Source(src.ID, f.Path)
			if !sound && (!strings.HasPrefix(f.Path, "map.") || at.File != name || reported(d.Problems, path)) {
				continue
			}
			problems = append(problems, config.Problem{Place: at, Path: path, What: f.What, Fix: f.Fix})
		}
	}
	return problems
}

// reported reports whether a field of a mapping, or one that contains it, is known to
// be wrong.
func reported(problems config.Problems, path string) bool {
	for _, p := range problems {
		if strings.Contains(p.Path, ".map") && strings.HasPrefix(path, p.Path) {
			return true
		}
	}
	return false
}
