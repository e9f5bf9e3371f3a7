package decide

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// endSilence tells an incident that goes on to those from whom a silence kept it
// that has ended. The state is read for Lapse in any case; without anybody in it
// who waits for that there is nothing to ask.
func (l *Lapser) endSilence(ctx context.Context, silences *silenceReader, s incident.State, tick time.Time) error {
	if !s.Open || len(s.Silenced) == 0 {
		return nil
	}
	owner := l.ownerOf(s.Source, s.Owner)
	now := l.Now()
	freed, err := l.freed(silences, s, owner, now)
	if err != nil || len(freed) == 0 {
		return err
	}
	// One transaction takes no more; the next sweeps tell the others.
	freed = freed[:min(len(freed), alwaysFit)]
	p := l.policyOf(s)
	if known := s.LastTick(); known.After(tick) {
		tick = known
	}
	next, action, reason := incident.EndSilence(s, tick, p, endedOf(s, freed))
	if action == incident.None {
		return nil
	}
	o := observation.Observation{
		IncidentKey: s.Key, Kind: s.Kind, Parts: s.Parts, Source: s.Source, Owner: s.Owner,
		Tick: tick, Verdict: observation.Unknown,
	}
	j := judgement{before: s, state: next, observation: o, policy: p, action: action, reason: reason, at: now}
	l.logDecision(ctx, j)
	_, err = l.tell(ctx, audience{told: freed}, j)
	return err
}

// endedOf names the silence that kept the first of the freed destinations.
func endedOf(s incident.State, freed []string) string {
	for _, id := range freed {
		if by := s.Silenced[id]; by != "" {
			return by
		}
	}
	ids := slices.Sorted(maps.Values(s.Silenced))
	return ids[0]
}
