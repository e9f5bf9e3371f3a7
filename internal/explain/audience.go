package explain

import "slices"

// audience names the destinations of an action: those that it reached, those that it
// may have reached, and those that it did not reach.
func audience(rep *Report, episode, sequence int) string {
	by, silenced := map[reach][]string{}, false
	instead := map[string]bool{}
	for _, d := range rep.Deliveries {
		if d.Episode != episode || d.Sequence != sequence {
			continue
		}
		if silenced = silenced || d.SilencedBy != ""; d.SilencedBy == "" {
			by[d.reach()] = append(by[d.reach()], d.addressee())
			instead[d.For] = instead[d.For] || d.reach() == wasReached
		}
	}
	missed := slices.DeleteFunc(by[notReached], func(to string) bool { return instead[to] })
	text := list(by[wasReached])
	switch {
	case len(by) == 0 && !silenced:
		return expiredAudience(rep, episode, sequence)
	case text == "" && len(by[maybeReached]) > 0:
		text = "nobody for sure"
	case text == "":
		return "nobody"
	}
	if len(by[maybeReached]) > 0 {
		text += ", perhaps " + list(by[maybeReached])
	}
	if len(missed) > 0 {
		text += ", not " + list(missed)
	}
	return text
}

// expiredAudience names the destinations of an action of which no message is stored.
func expiredAudience(rep *Report, episode, sequence int) string {
	for _, e := range rep.Timeline {
		if e.What == Decision && e.Episode == episode && e.Sequence == sequence && len(e.To) > 0 {
			return list(e.To) + " (the messages are not stored any more)"
		}
	}
	return "nobody that the ledger knows of"
}

// addressee returns the destination that was told, and in whose place.
func (d Delivery) addressee() string {
	if in := d.In; in != nil && in.Instead != nil && in.Instead.reach() > reachOf(in.State, in.Ambiguous) {
		return inPlace(in.Instead.Destination, d.Destination)
	}
	if d.For == "" {
		return d.Destination
	}
	return inPlace(d.Destination, d.For)
}

func inPlace(told, of string) string { return told + " (in place of " + of + ")" }

// reachedAnyone reports whether a message of a decision reached its destination, or
// may have and is no longer stored.
func reachedAnyone(rep *Report, e Entry) bool {
	stored := false
	for _, d := range rep.Deliveries {
		if d.Episode == e.Episode && d.Sequence == e.Sequence {
			if d.reach() == wasReached {
				return true
			}
			stored = true
		}
	}
	return !stored && len(e.To) > len(e.Silenced)
}
