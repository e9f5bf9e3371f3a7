package silence

import (
	"strings"
	"time"
)

// Silence keeps messages back for as long as it holds.
type Silence struct {
	// ID names it: the configuration's own name, or "s-" and a few hex digits
	// for one that a person added.
	ID    string
	Match Match
	// From and Until bound it; a zero From is since ever. A zero Until has no
	// end, which is only for one with Windows.
	From  time.Time
	Until time.Time
	// Windows, when there are any, are the only times at which it holds, by the
	// clock of Zone.
	Windows []Window
	// Zone is the IANA name of the windows' time zone: Europe/Berlin.
	Zone string
	// Reason says why and Author who wants it. Both are shown to whoever asks
	// why nobody was told.
	Reason string
	Author string

	CreatedAt time.Time
	// EndedAt is when a person ended it early, and EndedBy who.
	EndedAt time.Time
	EndedBy string
	// Planned marks one that is written in the configuration.
	Planned bool
}

// Match says what a silence keeps quiet: what fits every pattern that is given.
// In a pattern * stands for any text, the empty one too; an empty pattern fits
// everything.
type Match struct {
	Key         string
	Owner       string
	Source      string
	Destination string
}

// Empty reports a match without a pattern, which nobody can have meant.
func (m Match) Empty() bool { return m == Match{} }

// String words a match: "key k1/error/*, destination mail-payments".
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

// Holds reports whether the silence holds at a time, and until when if nothing
// changes: the end of the window, or its own. The end is zero for never.
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
		// Without its zone nobody knows when it holds; telling is the safe side.
		return time.Time{}, false
	}
	for _, w := range s.Windows {
		if closes, open := w.holds(at, zone); open {
			holds, until = true, later(until, closes)
		}
	}
	return earlier(until, end), holds
}

// Over reports whether the silence will never hold again after a time.
func (s Silence) Over(at time.Time) bool {
	end := earlier(s.Until, s.EndedAt)
	return !end.IsZero() && !at.Before(end)
}

// earlier is the first of two ends, of which a zero one is none.
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
