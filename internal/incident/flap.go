package incident

import "time"

// damps reports whether the policy enables flap damping.
func (p Policy) damps() bool { return p.FlapEpisodes > 0 }

// rememberOpen records an open and sets Flapping if it is at least the
// FlapEpisodes-th open inside FlapWindow. It allocates a new list, of at most
// FlapEpisodes ticks.
func (s State) rememberOpen(tick time.Time, p Policy) State {
	s.Flapping = false
	if !p.damps() {
		s.RecentOpens = nil
		return s
	}
	recent := make([]time.Time, 0, min(p.FlapEpisodes, len(s.RecentOpens)+1))
	for _, at := range s.RecentOpens {
		if tick.Sub(at) < p.FlapWindow {
			recent = append(recent, at)
		}
	}
	recent = append(recent, tick)
	s.RecentOpens = recent[max(0, len(recent)-p.FlapEpisodes):]
	s.Flapping = len(s.RecentOpens) >= p.FlapEpisodes
	return s
}
