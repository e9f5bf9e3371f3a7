package replay

import (
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// slot is the content of one stretch of time.
type slot struct {
	failing, healthy, unknown bool
	really, fine              bool
	open, flapping            bool
	opens, reminds, resolves  int
}

func (s *slot) see(v, truth observation.Verdict) {
	switch v {
	case observation.Failing:
		s.failing = true
	case observation.Healthy:
		s.healthy = true
	default:
		s.unknown = true
	}
	s.really = s.really || truth == observation.Failing
	s.fine = s.fine || truth == observation.Healthy
}

func (s *slot) mark(a incident.Action) {
	switch a {
	case incident.Open:
		s.opens++
		s.open = true
	case incident.Remind:
		s.reminds++
	case incident.Resolve:
		s.resolves++
	}
}

// verdict returns the class that the slot's verdicts are drawn in.
func (s slot) verdict() string {
	switch {
	case s.failing && s.healthy:
		return "mixed"
	case s.failing:
		return "failing"
	case s.unknown:
		return "unknown"
	case s.healthy:
		return "healthy"
	default:
		return ""
	}
}

func (s slot) reality() string {
	switch {
	case s.really:
		return "failing"
	case s.fine:
		return "healthy"
	default:
		return ""
	}
}

func (s slot) incident() string {
	switch {
	case s.flapping:
		return "flapping"
	case s.open:
		return "open"
	default:
		return ""
	}
}

// Bar is a stretch of slots that are drawn alike.
type Bar struct {
	X, Width int
	Class    string
}

// bars joins neighbouring slots of one class; slots without a class are left empty.
func (l *Timeline) bars(class func(slot) string) []Bar {
	var out []Bar
	for i, s := range l.slots {
		c := class(s)
		if c == "" {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Class == c && out[n-1].X+out[n-1].Width == i {
			out[n-1].Width++
			continue
		}
		out = append(out, Bar{i, 1, c})
	}
	return out
}
