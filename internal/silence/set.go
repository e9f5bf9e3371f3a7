package silence

import (
	"strings"
	"time"
)

// Set is a set of silences.
type Set []Silence

// Target describes one message that may be suppressed.
type Target struct {
	Key   string
	Owner string
	// Sources are the sources that report the incident as failing. The message is
	// suppressed only if every one of them is silenced.
	Sources []string
	// Destination is its name in the configuration.
	Destination string
}

// Keeps returns the silence that suppresses a message at a time. If several do, it
// returns the one that stays in force longest.
func (all Set) Keeps(t Target, at time.Time) (Silence, bool) {
	var found Silence
	var until time.Time
	suppressed := false
	for _, source := range t.Sources {
		s, end, ok := all.keeps(t, source, at)
		if !ok {
			return Silence{}, false
		}
		if !suppressed || outlasts(end, s.ID, until, found.ID) {
			found, until, suppressed = s, end, true
		}
	}
	return found, suppressed
}

// keeps is Keeps for one source.
func (all Set) keeps(t Target, source string, at time.Time) (found Silence, until time.Time, suppressed bool) {
	for _, s := range all {
		end, holds := s.Holds(at)
		if !holds || !s.Match.fits(t, source) {
			continue
		}
		if !suppressed || outlasts(end, s.ID, until, found.ID) {
			found, until, suppressed = s, end, true
		}
	}
	return found, until, suppressed
}

// outlasts orders silences by end, where zero means never, and then by id, so that all
// workers choose the same silence.
func outlasts(end time.Time, id string, other time.Time, otherID string) bool {
	if end.Equal(other) {
		return id < otherID
	}
	return end.IsZero() || (!other.IsZero() && end.After(other))
}

// Holding returns the silences in force at a time.
func (all Set) Holding(at time.Time) Set {
	var holding Set
	for _, s := range all {
		if _, ok := s.Holds(at); ok {
			holding = append(holding, s)
		}
	}
	return holding
}

// ByID returns the silence with an id.
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

// fits reports whether a pattern matches a whole text.
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
