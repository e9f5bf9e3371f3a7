package delivery

import "slices"

// An item keeps its first keptFirst attempts, which tell most, and the latest ones,
// keptAll together: its row would otherwise be full after some days of trying.
const (
	keptFirst = 5
	keptAll   = 50
)

// Tries is how many attempts were made, including those that are no longer kept.
func (d Delivery) Tries() int {
	n := len(d.Attempts)
	if n == 0 {
		return 0
	}
	return max(n, d.Attempts[n-1].Number)
}

// LeftOut counts the attempts of a UTC day that are no longer kept, so that the item
// still accounts for what its owner was charged.
type LeftOut struct {
	Day       string `json:"day"`
	Attempted int64  `json:"attempted"`
	Repeated  int64  `json:"repeated,omitempty"`
}

// bounded drops attempts after the first few, the oldest first, and counts them. One
// that may have arrived is kept: what may be sent next depends on it.
func (d Delivery) bounded() Delivery {
	for i := keptFirst; len(d.Attempts) > keptAll && i < len(d.Attempts)-1; {
		if d.Attempts[i].MayHaveArrived() {
			i++
			continue
		}
		d.LeftOut = leaveOut(d.LeftOut, d.Attempts[i])
		d.Attempts = slices.Delete(d.Attempts, i, i+1)
	}
	return d
}

// leaveOut counts an attempt in a copy, as everything here leaves its input alone.
func leaveOut(all []LeftOut, a Attempt) []LeftOut {
	all = slices.Clone(all)
	day := dayOf(a.Ended)
	i := slices.IndexFunc(all, func(l LeftOut) bool { return l.Day == day })
	if i < 0 {
		i = len(all)
		all = append(all, LeftOut{Day: day})
	}
	all[i].Attempted++
	if a.Repeat {
		all[i].Repeated++
	}
	return all
}
