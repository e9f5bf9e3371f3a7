package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// didYouMean suggests the known word nearest to a written one, or lists the known
// words if none is near. It returns "" if there are none.
func didYouMean(written string, known []string) string {
	known = slices.DeleteFunc(slices.Clone(known), func(k string) bool { return show(k) == hidden })
	best := Nearest(written, known)
	switch {
	case best != "":
		return "did you mean " + strconv.Quote(best) + "?"
	case len(known) == 0:
		return ""
	default:
		return knownHere(known)
	}
}

// Nearest returns the known word that a written one was probably meant to be; empty
// if none is near.
func Nearest(written string, known []string) string {
	best, nearest := "", 1+max(1, len(written)/3)
	for _, k := range known {
		if d := distance(strings.ToLower(written), strings.ToLower(k)); d < nearest {
			best, nearest = k, d
		}
	}
	return best
}

const maxListed = 30

func knownHere(known []string) string {
	more := ""
	if len(known) > maxListed {
		known, more = known[:maxListed], ", …"
	}
	return "known here: " + strings.Join(known, ", ") + more
}

// distance counts the insertions, deletions, replacements and swaps of neighbours
// that turn a into b. It skips words far longer than any name, which count as far
// away.
func distance(a, b string) int {
	if len(a) > maxID+1 || len(b) > maxID+1 {
		return max(len(a), len(b))
	}
	before, previous := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, previous[j]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, previous = previous, row
	}
	return previous[len(b)]
}

// sortedKeys lists a map's keys in order, for messages that must not depend on
// the order of a map.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
