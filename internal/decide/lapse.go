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

// Evidence is what is read to learn whether anybody could have spoken for an
// incident that nobody speaks for.
type Evidence interface {
	ActiveKeys(ctx context.Context) ([]incident.Active, error)
	Runs(ctx context.Context, source string, limit int) ([]observation.Run, error)
	NewestObservation(ctx context.Context, key string) (o observation.Observation, found bool, err error)
}

// hindsight is how far back a sweep looks: it is scheduled at the same time as
// the polls whose answers it must not miss.
const hindsight = time.Minute

// Lapser ends what nobody speaks for any more; see incident.Lapse.
type Lapser struct {
	*Decider
	Evidence Evidence
	// Rows are kept for as long as their incident is open; nil keeps none longer.
	Rows Keeper
}

// Lapse looks at every active incident as of a minute before the scheduled
// time. The error says which of them could not be looked at; the next sweep
// looks again.
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
	failed := l.sideBySide(keys, func(key string) error {
		if err := unreadable[key]; err != nil {
			return fmt.Errorf("read it: %w", err)
		}
		return l.settle(ctx, stateOf(states, key), func(s incident.State) error {
			s, err := l.keep(ctx, s, tick)
			if err != nil {
				return err
			}
			if over, err := l.lapse(ctx, silences, s, tick, answering); over || err != nil {
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

// lapse lets one incident lapse if it must. What costs a request is asked last,
// and of few: knowing more can only put a lapse off, so an incident that would
// not lapse if nobody had been asked needs no asking. It reports whether the row
// was written.
func (l *Lapser) lapse(ctx context.Context, silences *silenceReader, s incident.State, tick time.Time, answering *answers) (over bool, err error) {
	p := l.lapsesBy(s)
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
	// After the runs: what a run has found is written before the run is over.
	newest, _, err := l.Evidence.NewestObservation(ctx, s.Key)
	if err != nil {
		return false, fmt.Errorf("read its newest observation: %w", err)
	}
	h.Observed = newest.Tick
	next, action, reason := incident.Lapse(s, tick, p, h)
	if reason.Code != incident.Lapsed {
		return false, nil
	}
	next = l.under(ctx, next, s.Source, tick, p)
	j := judgement{before: s, state: next, observation: nothingSeen(s, tick), policy: p, action: action, reason: reason}
	l.logDecision(ctx, j)
	if action == incident.None {
		return true, l.Store.Save(ctx, next)
	}
	_, err = l.commit(ctx, silences, j)
	return true, err
}

// policyOf is what governs an incident between observations: the policy of the
// source that last reported its failure, else its owner's, else the default.
func (d *Decider) policyOf(s incident.State) incident.Policy {
	if p, ok := d.Config.PolicyFor(s.Source); ok {
		return p
	}
	return d.ownerOf(s.Source, s.Owner).Policy
}

// lapsesBy is the policy that an incident lapses by. One that lets nothing lapse
// waits for a source that is silent; where all are removed, nobody is waited for,
// and the built-in time holds.
func (l *Lapser) lapsesBy(s incident.State) incident.Policy {
	p := l.policyOf(s)
	watched := slices.ContainsFunc(slices.Collect(maps.Keys(s.Sources)), l.Config.HasSource)
	if p.StaleAfter == 0 && !watched {
		p.StaleAfter = incident.DefaultPolicy().StaleAfter
	}
	return p
}

// nothingSeen stands for the observation that a lapse has none of.
func nothingSeen(s incident.State, tick time.Time) observation.Observation {
	return observation.Observation{
		IncidentKey: s.Key, Kind: s.Kind, Parts: s.Parts, Source: s.Source, Owner: s.Owner,
		Tick: tick, Verdict: observation.Unknown, Missing: true,
	}
}
