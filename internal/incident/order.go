package incident

import (
	"cmp"

	"github.com/ringonce/ringonce/internal/observation"
)

// InOrder compares two observations of one key in the order in which a batch is
// folded: by tick, then failing first, then by source. Failing first means that a
// failure prevents another source's recovery at the same tick from resolving.
func InOrder(a, b observation.Observation) int {
	return cmp.Or(
		a.Tick.Compare(b.Tick),
		cmp.Compare(rank(a.Verdict), rank(b.Verdict)),
		cmp.Compare(a.Source, b.Source),
	)
}

func rank(v observation.Verdict) int {
	switch v {
	case observation.Failing:
		return 0
	case observation.Healthy:
		return 2
	default:
		return 1
	}
}
