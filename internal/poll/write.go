package poll

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

const (
	// writers bounds the concurrent writes of one source's observations.
	writers = 16
	// maxProblems is how many problems a run record holds.
	maxProblems = 10
)

// written is the result of writing observations: how many were new, and a problem for
// each that cannot be stored.
type written struct {
	created int
	refused []observation.Problem
}

// write stores the observations concurrently. An observation that cannot be stored does
// not affect the others; any other error is returned.
func (p *Poller) write(ctx context.Context, all []observation.Observation) (written, error) {
	now := p.Now()
	expires := now.Add(p.Config.Retention.Observations)
	var (
		mu   sync.Mutex
		out  written
		errs []error
		wg   sync.WaitGroup
	)
	slots := make(chan struct{}, writers)
	for _, o := range all {
		o.ObservedAt = now
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			isNew, err := p.Store.PutObservation(ctx, o, expires)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, observation.ErrUnwritable):
				out.refused = append(out.refused, unwritable(o))
			case err != nil:
				errs = append(errs, fmt.Errorf("write the observation of %s: %w", o.IncidentKey, err))
			case isNew:
				out.created++
			}
			if err == nil {
				p.logObservation(ctx, o, isNew)
			}
		})
	}
	wg.Wait()
	return out, errors.Join(errs...)
}

func unwritable(o observation.Observation) observation.Problem {
	return observation.Problem{
		Where: o.IncidentKey,
		What:  "its observation cannot be stored, since it is too large or holds what a row cannot; let map take less of the vendor's text",
	}
}

func (p *Poller) logObservation(ctx context.Context, o observation.Observation, isNew bool) {
	p.Log.DebugContext(ctx, "observation",
		"source", o.Source, "tick", observation.FormatTick(o.Tick), "incident_key", o.IncidentKey,
		"verdict", string(o.Verdict), "status", o.Status, "missing", o.Missing, "new", isNew, "summary", o.Summary)
}

// finish completes the run record with the result of the poll.
func (p *Poller) finish(ctx context.Context, run observation.Run, l observation.Listing, s result, written int) error {
	run.State = outcome(run, l, s)
	run.Ended = p.Now()
	run.NotBefore = l.NotBefore
	run.Skew = skew(l, run.Ended)
	run.Requests, run.Limited, run.Retries, run.Waited = l.Requests, l.Limited, l.Retries, l.Waited
	run.Items, run.Written = len(l.Items), written
	run.Failing, run.Healthy, run.Unknown = s.verdicts[observation.Failing], s.verdicts[observation.Healthy], s.verdicts[observation.Unknown]
	for _, pr := range s.problems[:min(len(s.problems), maxProblems)] {
		run.Problems = append(run.Problems, pr.String())
	}
	if s.overflowed > 0 {
		run.Problems = append(run.Problems, fmt.Sprintf("%d new failures at once are told as one overflow; raise max_new_incidents if they are meant, or look at map.key", s.overflowed))
	}
	p.logRun(ctx, run)
	if err := p.Store.FinishRun(ctx, run); err != nil {
		return fmt.Errorf("close the run record: %w", err)
	}
	return nil
}

// outcome returns the final state of a run.
func outcome(run observation.Run, l observation.Listing, s result) observation.RunState {
	switch {
	case l.NotBefore.After(run.Started) && l.Requests == 0:
		return observation.RunSkipped
	case s.complete:
		return observation.RunOK
	case len(l.Items) == 0:
		return observation.RunFailed
	default:
		return observation.RunPartial
	}
}

func (p *Poller) logRun(ctx context.Context, run observation.Run) {
	level := slog.LevelInfo
	if run.State != observation.RunOK || len(run.Problems) > 0 {
		level = slog.LevelWarn
	}
	if run.Skew.Abs() >= skewWarning {
		p.Log.WarnContext(ctx, "clock_skew", "source", run.Source, "tick", observation.FormatTick(run.Tick),
			"skew_ms", run.Skew.Milliseconds(), "advice", "compare the vendor's clock and time zone with ours; decisions do not depend on it")
	}
	p.Log.Log(ctx, level, "poll",
		"source", run.Source, "tick", observation.FormatTick(run.Tick), "outcome", string(run.State),
		"requests", run.Requests, "rate_limited", run.Limited, "retries", run.Retries, "waited_ms", run.Waited.Milliseconds(),
		"items", run.Items, "failing", run.Failing, "healthy", run.Healthy, "unknown", run.Unknown,
		"written", run.Written, "problems", run.Problems, "skew_ms", run.Skew.Milliseconds(), "not_before", stamp(run.NotBefore))
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return observation.FormatTick(t)
}
