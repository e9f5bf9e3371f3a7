package main

import (
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/source"
)

// checkSources lets the adapter that will run the sources look at those the
// configuration finds nothing wrong with: whether their jq programs compile.
func checkSources(d config.Draft) config.Problems {
	var problems config.Problems
	for _, src := range d.Config.Sources {
		if !d.Positions.Sound(src.ID) {
			continue
		}
		for _, f := range source.Check(src) {
			path, at := d.Positions.Source(src.ID, f.Path)
			problems = append(problems, config.Problem{Place: at, Path: path, What: f.What, Fix: f.Fix})
		}
	}
	return problems
}
