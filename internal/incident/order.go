package incident

import (
	"cmp"

	"github.com/ringonce/ringonce/internal/observation"
)

// InOrder compares two observations of one key by the order in which a batch
// is folded: by tick; within a tick failing first, so that a failure at that
// very tick keeps another source's recovery from resolving; then by source.
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
