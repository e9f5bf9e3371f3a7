package decide

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// endSilence announces an open incident to the destinations whose silence has ended.
// If the state, which Lapse has read anyway, names no silenced destination, it reads
// nothing.
func (l *Lapser) endSilence(ctx context.Context, silences *silenceReader, s incident.State, tick time.Time) error {
	if !s.Open || len(s.Silenced) == 0 {
		return nil
	}
	owner := l.ownerOf(s.Source, s.Owner)
	now := l.Now()
	destinations, err := l.unsilenced(silences, s, owner, now)
	if err != nil || len(destinations) == 0 {
		return err
	}
	// One transaction holds no more; the next sweeps notify the others.
	destinations = destinations[:min(len(destinations), alwaysFit)]
	p := l.policyOf(s)
	if known := s.LastTick(); known.After(tick) {
		tick = known
	}
	next, action, reason := incident.EndSilence(s, tick, p, endedSilence(s, destinations))
	if action == incident.None {
		return nil
	}
	o := observation.Observation{
		IncidentKey: s.Key, Kind: s.Kind, Parts: s.Parts, Source: s.Source, Owner: s.Owner,
		Tick: tick, Verdict: observation.Unknown,
	}
	j := judgement{before: s, state: next, observation: o, policy: p, action: action, reason: reason, at: now}
	l.logDecision(ctx, j)
	_, err = l.commitTo(ctx, audience{told: destinations}, j)
	return err
}

// endedSilence returns the id of the silence of the first destination that had one.
func endedSilence(s incident.State, destinations []string) string {
	for _, id := range destinations {
		if by := s.Silenced[id]; by != "" {
			return by
		}
	}
	ids := slices.Sorted(maps.Values(s.Silenced))
	return ids[0]
}
