package decide

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Evidence reads what shows whether the sources of an incident have answered and
// whether the incident is still reported.
type Evidence interface {
	ActiveKeys(ctx context.Context) ([]incident.Active, error)
	Runs(ctx context.Context, source string, limit int) ([]observation.Run, error)
	NewestObservation(ctx context.Context, key string) (o observation.Observation, found bool, err error)
}

// hindsight is how far a sweep's tick lies in the past. Sweeps are scheduled at the
// same time as polls, whose results they must not miss.
const hindsight = time.Minute

// Lapser ends incidents that no source reports any longer; see incident.Lapse.
type Lapser struct {
	*Decider
	Evidence Evidence
	// Retention is extended while an incident is open; nil extends nothing.
	Retention Keeper
}

// Lapse checks every active incident as of a minute before the scheduled time. It also
// extends retention and announces ended silences. The error names the incidents that
// could not be checked; the next sweep checks them again.
func (l *Lapser) Lapse(ctx context.Context, scheduled time.Time) error {
	tick := observation.Tick(scheduled, 0).Add(-hindsight)
	active, err := l.Evidence.ActiveKeys(ctx)
	if err != nil {
		return fmt.Errorf("list the active incidents: %w", err)
	}
	keys := make([]string, len(active))
	for i, a := range active {
		keys[i] = a.Key
	}
	states, err := l.Store.States(ctx, keys)
	var unreadable incident.Unreadable
	if err != nil && !errors.As(err, &unreadable) {
		return fmt.Errorf("read %d active incidents: %w", len(keys), err)
	}
	answering, silences := newAnswers(l.Config, l.Evidence), l.silences(ctx)
	failed := l.concurrently(keys, func(key string) error {
		if err := unreadable[key]; err != nil {
			return fmt.Errorf("read it: %w", err)
		}
		return l.retry(ctx, stateOf(states, key), func(s incident.State) error {
			s, err := l.extendRetention(ctx, s, tick)
			if err != nil {
				return err
			}
			if lapsed, err := l.lapse(ctx, silences, s, tick, answering); lapsed || err != nil {
				return err
			}
			return l.endSilence(ctx, silences, s, tick)
		})
	})
	errs := make([]error, 0, len(failed))
	for _, err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// lapse lapses one incident if it is due and reports whether it wrote the row. It
// reads more only as needed: further evidence can only postpone a lapse, so an
// incident that would not lapse without it needs no reads.
func (l *Lapser) lapse(ctx context.Context, silences *silenceReader, s incident.State, tick time.Time, answering *answers) (lapsed bool, err error) {
	p := l.lapsePolicy(s)
	var h incident.Heard
	if _, _, r := incident.Lapse(s, tick, p, h); r.Code != incident.Lapsed {
		return false, nil
	}
	if h.Answering, err = answering.of(ctx, s, p.StaleAfter); err != nil {
		return false, err
	}
	if _, _, r := incident.Lapse(s, tick, p, h); r.Code != incident.Lapsed {
		return false, nil
	}
	// Read after the runs: a run's observations are written before it ends.
	newest, _, err := l.Evidence.NewestObservation(ctx, s.Key)
	if err != nil {
		return false, fmt.Errorf("read its newest observation: %w", err)
	}
	h.Observed = newest.Tick
	next, action, reason := incident.Lapse(s, tick, p, h)
	if reason.Code != incident.Lapsed {
		return false, nil
	}
	next = l.withPolicy(ctx, next, s.Source, tick, p)
	j := judgement{before: s, state: next, observation: nothingSeen(s, tick), policy: p, action: action, reason: reason}
	l.logDecision(ctx, j)
	if action == incident.None {
		return true, l.Store.Save(ctx, next)
	}
	_, err = l.commit(ctx, silences, j)
	return true, err
}

// policyOf returns the policy of an incident between observations: that of the source
// that last reported it failing, else its owner's, else the default.
func (d *Decider) policyOf(s incident.State) incident.Policy {
	if p, ok := d.Config.PolicyFor(s.Source); ok {
		return p
	}
	return d.ownerOf(s.Source, s.Owner).Policy
}

// lapsePolicy returns the policy by which an incident lapses. A policy without lapses
// makes it wait for its sources; if all of them have been removed, the default
// StaleAfter applies.
func (l *Lapser) lapsePolicy(s incident.State) incident.Policy {
	p := l.policyOf(s)
	watched := slices.ContainsFunc(slices.Collect(maps.Keys(s.Sources)), l.Config.HasSource)
	if p.StaleAfter == 0 && !watched {
		p.StaleAfter = incident.DefaultPolicy().StaleAfter
	}
	return p
}

// nothingSeen returns a placeholder for the observation that a lapse does not have.
func nothingSeen(s incident.State, tick time.Time) observation.Observation {
	return observation.Observation{
		IncidentKey: s.Key, Kind: s.Kind, Parts: s.Parts, Source: s.Source, Owner: s.Owner,
		Tick: tick, Verdict: observation.Unknown, Missing: true,
	}
}
