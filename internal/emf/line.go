package emf

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// maxValues is the most values of one metric on a line; see the specification's
// section "MetricDefinition target members".
const maxValues = 100

// directive tells CloudWatch which members of a line are metrics.
type directive struct {
	Namespace  string
	Dimensions [][]string
	Metrics    []definition
}

type definition struct {
	Name Name
	Unit string
}

// lines encodes the series, in as many lines as its longest metric needs.
func (s *series) lines(stack string, at time.Time) [][]byte {
	var all [][]byte
	for len(s.values) > 0 {
		line := map[string]any{Stack: stack}
		for d, v := range s.of {
			line[d] = v
		}
		var directives []directive
		for _, name := range slices.Sorted(maps.Keys(s.values)) {
			line[string(name)] = s.take(name)
			directives = addTo(directives, name, s.of)
		}
		line["_aws"] = map[string]any{"Timestamp": at.UnixMilli(), "CloudWatchMetrics": directives}
		content, err := json.Marshal(line)
		if err != nil {
			// A value that JSON cannot hold, such as an infinity, is a bug; it costs
			// this series only, not the others.
			return all
		}
		all = append(all, append(content, '\n'))
	}
	return all
}

// take removes and returns as many values as one line may hold.
func (s *series) take(name Name) any {
	values := s.values[name]
	n := min(len(values), maxValues)
	if n == len(values) {
		delete(s.values, name)
	} else {
		s.values[name] = values[n:]
	}
	if n == 1 {
		return values[0]
	}
	return values[:n]
}

// addTo adds a metric to the directive that has its dimensions.
func addTo(all []directive, name Name, of Of) []directive {
	m := Metrics[name]
	sets := [][]string{{Stack}}
	for _, d := range m.By {
		if of[d] != "" {
			sets = append(sets, []string{Stack, d})
		}
	}
	def := definition{Name: name, Unit: m.Unit}
	for i := range all {
		if slices.EqualFunc(all[i].Dimensions, sets, slices.Equal) {
			all[i].Metrics = append(all[i].Metrics, def)
			return all
		}
	}
	return append(all, directive{Namespace: Namespace, Dimensions: sets, Metrics: []definition{def}})
}
