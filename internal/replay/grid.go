package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// maxGrid bounds a sweep; every candidate has a state of its own per key.
const maxGrid = 10_000

// Dimension is one policy field and the values to try for it.
type Dimension struct {
	Field  string
	Values []string
}

// ParseDimension reads "cooldown=5m,15m,1h" or "healthy_required=1..5".
func ParseDimension(text string) (Dimension, error) {
	field, list, ok := strings.Cut(text, "=")
	if !ok || list == "" {
		return Dimension{}, fmt.Errorf("%q: want FIELD=VALUE,VALUE… or FIELD=FROM..TO", text)
	}
	d := Dimension{Field: field}
	for item := range strings.SplitSeq(list, ",") {
		values, err := expand(item)
		if err != nil {
			return Dimension{}, fmt.Errorf("%q: %w", text, err)
		}
		d.Values = append(d.Values, values...)
	}
	for _, v := range d.Values {
		p := incident.DefaultPolicy()
		if err := set(&p, field, v); err != nil {
			return Dimension{}, err
		}
	}
	return d, nil
}

// expand turns "2..4" into 2, 3 and 4, and returns any other value unchanged.
func expand(item string) ([]string, error) {
	from, to, ok := strings.Cut(item, "..")
	if !ok {
		return []string{strings.TrimSpace(item)}, nil
	}
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || last < first || last-first >= maxGrid {
		return nil, fmt.Errorf("%q is not a range of whole numbers such as 1..5", item)
	}
	var values []string
	for n := first; n <= last; n++ {
		values = append(values, strconv.Itoa(n))
	}
	return values, nil
}

// Grid combines all values of all dimensions over a base. The base itself comes first
// and only once, whether or not the grid contains it.
func Grid(base Candidate, dims []Dimension) ([]Candidate, error) {
	size := 1
	for _, d := range dims {
		if size *= len(d.Values); size > maxGrid {
			return nil, fmt.Errorf("the sweep has more than %d policies: give fewer values", maxGrid)
		}
	}
	out := []Candidate{base}
	if len(dims) == 0 {
		return out, nil
	}
	for n := range size {
		values := make([]string, len(dims))
		for i, d := range slices.Backward(dims) {
			values[i] = d.Values[n%len(d.Values)]
			n /= len(d.Values)
		}
		c, err := override(base, dims, values)
		if err != nil {
			return nil, err
		}
		if base.For == nil && c.Policy == base.Policy {
			out[0].Name = base.Name + ": " + c.Name
			continue
		}
		out = append(out, c)
	}
	return out, nil
}

// override returns the base with one value for every dimension.
func override(base Candidate, dims []Dimension, values []string) (Candidate, error) {
	apply := func(p incident.Policy) (incident.Policy, error) {
		for i, d := range dims {
			if err := set(&p, d.Field, values[i]); err != nil {
				return p, err
			}
		}
		return p, nil
	}
	c := Candidate{Name: nameOf(dims, values)}
	var err error
	if c.Policy, err = apply(base.Policy); err != nil || base.For == nil {
		return c, err
	}
	// One goroutine at a time folds a candidate, so the map needs no lock.
	known := make(map[incident.Policy]incident.Policy)
	c.For = func(o observation.Observation) incident.Policy {
		p := base.For(o)
		if q, ok := known[p]; ok {
			return q
		}
		// The values have been tried on a policy before, so they are valid here.
		q, _ := apply(p)
		known[p] = q
		return q
	}
	return c, nil
}

func nameOf(dims []Dimension, values []string) string {
	names := make([]string, len(dims))
	for i, d := range dims {
		names[i] = d.Field + "=" + values[i]
	}
	return strings.Join(names, " ")
}
