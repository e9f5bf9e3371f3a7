// Package poll is the use case that turns one scheduled tick into
// observations: it claims the tick of each source, fetches, and writes what
// the vendor said about keys that fail or that are being watched.
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

// Store is what polling keeps: claims of ticks, run records, observations.
type Store interface {
	ClaimRun(ctx context.Context, run observation.Run, now time.Time) error
	FinishRun(ctx context.Context, run observation.Run) error
	ReleaseRun(ctx context.Context, run observation.Run) error
	Runs(ctx context.Context, source string, limit int) ([]observation.Run, error)
	RunsBetween(ctx context.Context, source string, from, to time.Time, yield func(observation.Run) error) error
	ActiveKeys(ctx context.Context) ([]incident.Active, error)
	PutObservation(ctx context.Context, o observation.Observation, expires time.Time) (created bool, err error)
}

// Fetcher reads one source. What it could not read is in the listing.
type Fetcher interface {
	Fetch(ctx context.Context, src config.Source) observation.Listing
}

// Enricher asks a vendor for more about one failure. It returns the evidence as
// it was where that fails.
type Enricher interface {
	Enrich(ctx context.Context, src config.Source, have observation.Evidence) (observation.Evidence, error)
}

// Poller polls every configured source.
type Poller struct {
	Config  *config.Config
	Store   Store
	Fetcher Fetcher
	// Enricher is asked about new failures of sources that say so; it may be nil.
	Enricher Enricher
	Log      *slog.Logger
	// Now is the wall clock: it dates claims and rows, and decides nothing.
	Now func() time.Time
	// Token makes the random name of a claim.
	Token func() string
	// Lease is how long a claim holds; longer than an invocation may run.
	Lease time.Duration
}

// maxAhead is how far a schedule may be ahead of this machine's clock.
const maxAhead = 5 * time.Minute

// Poll polls all sources whose tick at the scheduled time is not claimed yet,
// side by side. A vendor that cannot be read is not an error: it is in the run
// record. The error says what could not be stored; the caller should run the
// same scheduled time again, which repeats nothing that was done.
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
	seen := tell(src, tick, listing, keys, known.forgotten(tick, runs))
	seen.again = comesAgain(src, scheduled, run, listing, seen)
	listing.Requests += p.enrich(ctx, src, &seen, keys)
	written, err := p.record(ctx, src, tick, &seen, keys)
	if err != nil {
		return p.giveBack(ctx, run, err)
	}
	run.NewKeys, run.NewKeysLeft = newKeys(seen.observations, known)
	return p.finish(ctx, run, listing, seen, written)
}

// record writes what was told, and then, since it depends on how that went,
// whether the source can be read. It returns how many observations are new.
func (p *Poller) record(ctx context.Context, src config.Source, tick time.Time, s *seen, keys watched) (int, error) {
	told, err := p.write(ctx, s.observations)
	if err != nil {
		return 0, err
	}
	if len(told.refused) > 0 {
		s.complete = false
		s.problems = append(s.problems, told.refused...)
	}
	about := reach(src, tick, *s, keys)
	own, err := p.write(ctx, about)
	if err != nil {
		return 0, err
	}
	s.observations = append(s.observations, about...)
	s.problems = append(s.problems, own.refused...)
	return told.created + own.created, nil
}

// giveBack releases the claim, so that the retry of this invocation need not
// wait for the lease to end. Failing to do so only costs that wait.
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
	w, h := make(watched, len(keys)), newHeirs(p.Config, p.Store)
	for _, k := range keys {
		if w[k.Key], err = h.adopt(ctx, k); err != nil {
			return nil, err
		}
	}
	return w, nil
}
