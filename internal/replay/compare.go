package replay

import (
	"fmt"
	"slices"
)

// Compare lists, in words, where scores differ from the expectation. A score that is
// expected and missing, or present and unexpected, counts as worse: an evaluation
// that skips something must not pass.
func Compare(got, want Expectation) (worse, better []string) {
	for _, id := range idsOf(got, want) {
		g, inGot := got.score(id)
		e, inWant := want.score(id)
		where := fmt.Sprintf("%s, %s: %s", id[0], id[1], id[2])
		switch {
		case !inGot:
			worse = append(worse, where+" is expected, and was not evaluated")
		case !inWant:
			worse = append(worse, where+" is not expected yet: write it with --update")
		case g == nil && e == nil:
		case g == nil || e == nil:
			worse = append(worse, fmt.Sprintf("%s is %s, expected %s: one of them is not defined", where, plain(g), plain(e)))
		case *g > *e:
			worse = append(worse, fmt.Sprintf("%s is %s, expected %s", where, plain(g), plain(e)))
		case *g < *e:
			better = append(better, fmt.Sprintf("%s is %s, expected %s", where, plain(g), plain(e)))
		}
	}
	return worse, better
}

func plain(v *float64) string {
	if v == nil {
		return "nothing"
	}
	return fmt.Sprint(*v)
}

// idsOf returns every (trace, policy, score) of all expectations, sorted.
func idsOf(all ...Expectation) [][3]string {
	var ids [][3]string
	for _, e := range all {
		for t, policies := range e {
			for p, scores := range policies {
				for s := range scores {
					ids = append(ids, [3]string{t, p, s})
				}
			}
		}
	}
	slices.SortFunc(ids, func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

func (e Expectation) score(id [3]string) (*float64, bool) {
	v, ok := e[id[0]][id[1]][id[2]]
	return v, ok
}
