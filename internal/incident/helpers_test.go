package incident

import "strconv"

func itoa(n int) string { return strconv.Itoa(n) }

func count(actions []string, a Action) int {
	n := 0
	for _, got := range actions {
		if got == string(a) {
			n++
		}
	}
	return n
}
