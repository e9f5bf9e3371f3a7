package replay

// value is one score of one policy, and whether it is defined.
type value struct {
	v       float64
	defined bool
}

// unbeaten marks the rows that no other row beats. One row beats another if it is at
// least as good on every score that both have, and better on one. Rows that are equal
// on all scores are unbeaten together.
func unbeaten(rows [][]value) []bool {
	marks := make([]bool, len(rows))
	for i := range rows {
		marks[i] = true
		for j := range rows {
			if beats(rows[j], rows[i]) {
				marks[i] = false
				break
			}
		}
	}
	return marks
}

func beats(a, b []value) bool {
	better := false
	for i := range a {
		switch {
		case !a[i].defined || !b[i].defined:
		case a[i].v > b[i].v:
			return false
		case a[i].v < b[i].v:
			better = true
		}
	}
	return better
}
