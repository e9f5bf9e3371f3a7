package silence

import (
	"strings"
	"time"
)

// Set is all silences there are.
type Set []Silence

// Target is one message that somebody would be told.
type Target struct {
	Key   string
	Owner string
	// Sources are those that the incident fails by. A source that nobody has
	// silenced is heard: each of them must be kept quiet.
	Sources []string
	// Destination is its name in the configuration.
	Destination string
}

// Keeps returns the silence that keeps a message back at a time: of several the
// one that holds for longest.
func (all Set) Keeps(t Target, at time.Time) (Silence, bool) {
	var found Silence
	var until time.Time
	kept := false
	for _, source := range t.Sources {
		s, end, ok := all.keeps(t, source, at)
		if !ok {
			return Silence{}, false
		}
		if !kept || outlasts(end, s.ID, until, found.ID) {
			found, until, kept = s, end, true
		}
	}
	return found, kept
}

func (all Set) keeps(t Target, source string, at time.Time) (found Silence, until time.Time, kept bool) {
	for _, s := range all {
		end, holds := s.Holds(at)
		if !holds || !s.Match.fits(t, source) {
			continue
		}
		if !kept || outlasts(end, s.ID, until, found.ID) {
			found, until, kept = s, end, true
		}
	}
	return found, until, kept
}

// outlasts orders by end, of which a zero one is never, then by id, so that all
// workers name the same silence.
func outlasts(end time.Time, id string, other time.Time, otherID string) bool {
	if end.Equal(other) {
		return id < otherID
	}
	return end.IsZero() || (!other.IsZero() && end.After(other))
}

// Holding are those that hold at a time.
func (all Set) Holding(at time.Time) Set {
	var holding Set
	for _, s := range all {
		if _, ok := s.Holds(at); ok {
			holding = append(holding, s)
		}
	}
	return holding
}

// ByID returns the silence of an id.
func (all Set) ByID(id string) (Silence, bool) {
	for _, s := range all {
		if s.ID == id {
			return s, true
		}
	}
	return Silence{}, false
}

func (m Match) fits(t Target, source string) bool {
	return fits(m.Key, t.Key) && fits(m.Owner, t.Owner) && fits(m.Source, source) && fits(m.Destination, t.Destination)
}

// fits matches a whole text.
func fits(pattern, text string) bool {
	if pattern == "" {
		return true
	}
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	first, middle, last := parts[0], parts[1:len(parts)-1], parts[len(parts)-1]
	if !strings.HasPrefix(text, first) {
		return false
	}
	text = text[len(first):]
	for _, part := range middle {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return strings.HasSuffix(text, last)
}
