package replay

import (
	"regexp"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
)

// hexRun is what hashes, trace ids and span ids look like.
var hexRun = regexp.MustCompile(`(?i)\b[0-9a-f]{8,}\b`)

// shapesIn names what the normaliser would replace in a value, each once; of
// what becomes {n} it tells hex runs that are no plain number as {hex}.
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
