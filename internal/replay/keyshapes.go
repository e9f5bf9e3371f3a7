package replay

import (
	"regexp"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
)

// hexRun matches what hashes, trace ids and span ids look like.
var hexRun = regexp.MustCompile(`(?i)\b[0-9a-f]{8,}\b`)

// shapesIn returns the placeholders that the normaliser would put into a value,
// without duplicates; hex runs that are not plain numbers, which it replaces by {n},
// are {hex} here.
func shapesIn(value string) []string {
	normal := incident.Normalise(value)
	if normal == value {
		return nil
	}
	for _, run := range hexRun.FindAllString(value, -1) {
		if strings.Trim(run, "0123456789") != "" && strings.Contains(normal, "{n}") {
			normal += " {hex}"
			break
		}
	}
	var shapes []string
	for _, shape := range []string{"{email}", "{uuid}", "{time}", "{ip}", "{hex}", "{id}", "{n}"} {
		if strings.Contains(normal, shape) && !strings.Contains(value, shape) {
			shapes = append(shapes, shape)
		}
	}
	return shapes
}
