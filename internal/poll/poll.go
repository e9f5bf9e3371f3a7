// Package poll is the use case that turns one scheduled tick into observations. It
// claims the tick of each source, fetches the source, and writes an observation for
// each key that fails or is being watched.
package poll

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Store holds the claims of ticks, run records and observations.
type Store interface {
	ClaimRun(ctx context.Context, run observation.Run, now time.Time) error
	FinishRun(ctx context.Context, run observation.Run) error
	ReleaseRun(ctx context.Context, run observation.Run) error
	Runs(ctx context.Context, source string, limit int) ([]observation.Run, error)
	RunsBetween(ctx context.Context, source string, from, to time.Time, yield func(observation.Run) error) error
	ActiveKeys(ctx context.Context) ([]incident.Active, error)
	PutObservation(ctx context.Context, o observation.Observation, expires time.Time) (created bool, err error)
}

// Fetcher reads one source. The listing contains what could not be read as problems.
type Fetcher interface {
	Fetch(ctx context.Context, src config.Source) observation.Listing
}

// Enricher requests details of one failure from the vendor. On failure it returns the
// given evidence with an error.
type Enricher interface {
	Enrich(ctx context.Context, src config.Source, have observation.Evidence) (observation.Evidence, error)
}

// Poller polls every configured source.
type Poller struct {
	Config  *config.Config
	Store   Store
	Fetcher Fetcher
	// Enricher adds details to new failures of sources that configure it; may be nil.
	Enricher Enricher
	Log      *slog.Logger
	// Now is the wall clock. It dates claims and rows; no verdict depends on it.
	Now func() time.Time
	// Token returns a random name for a claim.
	Token func() string
	// Lease is how long a claim holds; longer than an invocation may run.
	Lease time.Duration
}

// maxAhead is how far a schedule may be ahead of this machine's clock.
const maxAhead = 5 * time.Minute

// Poll polls all sources whose tick at the scheduled time is not claimed yet,
// concurrently. A vendor that cannot be read is not an error: the run record says so.
// The error says what could not be stored. The caller should then poll the same
// scheduled time again, which does not repeat what was done.
func (p *Poller) Poll(ctx context.Context, scheduled time.Time) error {
	if ahead := scheduled.Sub(p.Now()); ahead > maxAhead {
		return fmt.Errorf("the scheduled time %s is %s ahead of this machine's clock: polling for it would make every tick until then stale",
			scheduled.Format(time.RFC3339), ahead.Round(time.Second))
	}
	active := sync.OnceValues(func() (watched, error) { return p.watched(ctx) })
	errs := make([]error, len(p.Config.Sources))
	var wg sync.WaitGroup
	for i, src := range p.Config.Sources {
		wg.Go(func() {
			if err := p.pollSource(ctx, src, scheduled, active); err != nil {
				tick := observation.Tick(scheduled, src.Interval)
				errs[i] = fmt.Errorf("poll source %s at tick %s: %w", src.ID, observation.FormatTick(tick), err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (p *Poller) pollSource(ctx context.Context, src config.Source, scheduled time.Time, active func() (watched, error)) error {
	now, tick := p.Now(), observation.Tick(scheduled, src.Interval)
	run := observation.Run{
		Source: src.ID, Tick: tick, State: observation.RunRunning,
		Worker: p.Token(), Started: now, LeaseUntil: now.Add(p.Lease),
	}
	if err := p.Store.ClaimRun(ctx, run, now); err != nil {
		if errors.Is(err, observation.ErrRunClaimed) {
			p.Log.DebugContext(ctx, "poll", "source", src.ID, "tick", observation.FormatTick(tick), "outcome", "already_claimed")
			return nil
		}
		return fmt.Errorf("claim the tick: %w", err)
	}
	known, err := active()
	if err != nil {
		return p.giveBack(ctx, run, err)
	}
	runs, err := p.recentRuns(ctx, src)
	if err != nil {
		return p.giveBack(ctx, run, err)
	}
	for _, r := range runs {
		if r.Tick.Equal(tick) {
			run.Try = r.Try
		}
	}
	keys := known.withNew(src, tick, runs)
	listing := p.listing(ctx, src, tick, runs)
	res := interpret(src, tick, listing, keys, known.unlisted(tick, runs))
	res.repeats = willRepeat(src, scheduled, run, listing, res)
	listing.Requests += p.enrich(ctx, src, &res, keys)
	written, err := p.record(ctx, src, tick, &res, keys)
	if err != nil {
		return p.giveBack(ctx, run, err)
	}
	run.NewKeys, run.NewKeysLeft = newKeys(res.observations, known)
	return p.finish(ctx, run, listing, res, written)
}

// record writes the observations, and then the one about the source's reachability,
// which depends on whether they could be written. It returns how many are new.
func (p *Poller) record(ctx context.Context, src config.Source, tick time.Time, s *result, keys watched) (int, error) {
	told, err := p.write(ctx, s.observations)
	if err != nil {
		return 0, err
	}
	if len(told.refused) > 0 {
		s.complete = false
		s.problems = append(s.problems, told.refused...)
	}
	about := reportReachability(src, tick, *s, keys)
	own, err := p.write(ctx, about)
	if err != nil {
		return 0, err
	}
	s.observations = append(s.observations, about...)
	s.problems = append(s.problems, own.refused...)
	return told.created + own.created, nil
}

// giveBack releases the claim, so that the retry of this invocation need not wait for
// the lease to end.
func (p *Poller) giveBack(ctx context.Context, run observation.Run, cause error) error {
	if err := p.Store.ReleaseRun(context.WithoutCancel(ctx), run); err != nil {
		return errors.Join(cause, fmt.Errorf("give the tick back: %w", err))
	}
	return cause
}

func (p *Poller) watched(ctx context.Context) (watched, error) {
	keys, err := p.Store.ActiveKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the keys that are open or failing: %w", err)
	}
	w, ss := make(watched, len(keys)), newSuccessors(p.Config, p.Store)
	for _, k := range keys {
		if w[k.Key], err = ss.adopt(ctx, k); err != nil {
			return nil, err
		}
	}
	return w, nil
}
