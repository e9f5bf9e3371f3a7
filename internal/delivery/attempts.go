package delivery

import "slices"

// How many attempts an item keeps, of which those at the beginning tell most.
// What a row may hold would otherwise be full after some days of trying.
const (
	keptFirst = 5
	keptAll   = 50
)

// Tries is how many attempts were made, those among them that are not kept.
func (d Delivery) Tries() int {
	n := len(d.Attempts)
	if n == 0 {
		return 0
	}
	return max(n, d.Attempts[n-1].Number)
}

// bounded leaves out attempts behind the first few, the oldest first. One that
// may have arrived is kept: the messages that follow depend on it.
func bounded(attempts []Attempt) []Attempt {
	for i := keptFirst; len(attempts) > keptAll && i < len(attempts)-1; {
		if c := attempts[i].Class; c == Ambiguous || c == "" {
			i++
			continue
		}
		attempts = slices.Delete(attempts, i, i+1)
	}
	return attempts
}
