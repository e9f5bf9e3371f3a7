package silence

import (
	"strings"
	"time"
)

// Silence suppresses matching messages while it is in force.
type Silence struct {
	// ID is the name given in the configuration, or "s-" and eight hex digits for a
	// silence that a person added.
	ID    string
	Match Match
	// From and Until bound the silence. A zero From means no start, a zero Until no
	// end; only a silence with Windows may have no end.
	From  time.Time
	Until time.Time
	// Windows, if any, limit the silence to times of the week in Zone.
	Windows []Window
	// Zone is the IANA name of the windows' time zone: Europe/Berlin.
	Zone string
	// Reason and Author say why the silence exists and who asked for it. Both are shown
	// to readers who ask why nobody was notified.
	Reason string
	Author string

	CreatedAt time.Time
	// EndedAt and EndedBy say when and by whom the silence was ended early.
	EndedAt time.Time
	EndedBy string
	// Planned marks a silence from the configuration.
	Planned bool
}

// Match selects the messages that a silence suppresses. A message must match every
// pattern. In a pattern, * stands for any text, including none; an empty pattern matches
// everything.
type Match struct {
	Key         string
	Owner       string
	Source      string
	Destination string
}

// Empty reports whether the match has no pattern. Such a match is invalid, since it
// would select everything.
func (m Match) Empty() bool { return m == Match{} }

// String formats a match: "key k1/error/*, destination mail-payments".
func (m Match) String() string {
	var all []string
	for _, p := range []struct{ name, pattern string }{
		{"key", m.Key}, {"owner", m.Owner}, {"source", m.Source}, {"destination", m.Destination},
	} {
		if p.pattern != "" {
			all = append(all, p.name+" "+p.pattern)
		}
	}
	return strings.Join(all, ", ")
}

// Holds reports whether the silence is in force at a time, and until when: the end of the
// window or of the silence. A zero time means that there is no end.
func (s Silence) Holds(at time.Time) (until time.Time, holds bool) {
	end := earlier(s.Until, s.EndedAt)
	if at.Before(s.From) || (!end.IsZero() && !at.Before(end)) {
		return time.Time{}, false
	}
	if len(s.Windows) == 0 {
		return end, true
	}
	zone, err := Zone(s.Zone)
	if err != nil {
		// Without the zone its windows are unknown. Not suppressing is the safe choice.
		return time.Time{}, false
	}
	for _, w := range s.Windows {
		if closes, open := w.holds(at, zone); open {
			holds, until = true, later(until, closes)
		}
	}
	return earlier(until, end), holds
}

// Over reports whether the silence has ended for good at a time.
func (s Silence) Over(at time.Time) bool {
	end := earlier(s.Until, s.EndedAt)
	return !end.IsZero() && !at.Before(end)
}

// earlier returns the earlier of two ends, where zero means no end.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
