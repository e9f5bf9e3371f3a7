package delivery

import "slices"

// An item stores its first keptFirst attempts, the most informative ones, and the
// latest ones up to keptAll in total. Otherwise days of retries would exceed the
// size limit of its row.
const (
	keptFirst = 5
	keptAll   = 50
)

// Tries returns how many attempts were made, including those no longer stored.
func (d Delivery) Tries() int {
	n := len(d.Attempts)
	if n == 0 {
		return 0
	}
	return max(n, d.Attempts[n-1].Number)
}

// LeftOut counts the attempts of a UTC day that are no longer stored, so that the
// item still accounts for what its owner was charged.
type LeftOut struct {
	Day       string `json:"day"`
	Attempted int64  `json:"attempted"`
	Repeated  int64  `json:"repeated,omitempty"`
}

// bounded drops the oldest attempts after the first keptFirst and counts them in
// LeftOut. Attempts that may have arrived stay, since later decisions depend on
// them.
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

// leaveOut returns a copy of the counts with an attempt added. The input is not
// modified.
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
