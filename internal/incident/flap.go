package incident

import "time"

// damps reports whether the policy damps flapping at all.
func (p Policy) damps() bool { return p.FlapEpisodes > 0 }

// rememberOpen notes an open and decides whether the key is flapping: this is
// the FlapEpisodes-th open inside FlapWindow. The list is a new one and never
// longer than the policy needs.
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
