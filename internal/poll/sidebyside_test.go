package poll

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// slow answers for each source after its own delay, and gives up five seconds before the
// poll's deadline, to leave time for writing the result.
type slow struct{ takes map[string]time.Duration }

func (s slow) Fetch(_ context.Context, src config.Source) observation.Listing {
	select {
	case <-time.After(s.takes[src.ID]):
		return observation.Listing{Complete: true, Items: []observation.Item{thing(src.ID, observation.Failing)}}
	case <-time.After(40 * time.Second):
		return observation.Listing{Problems: []observation.Problem{{What: "timeout"}}}
	}
}

// finished records when each run was written.
type finished struct {
	Store
	began time.Time
	mu    sync.Mutex
	after map[string]time.Duration
}

func (f *finished) FinishRun(ctx context.Context, run observation.Run) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.after[run.Source] = time.Since(f.began)
	return f.Store.FinishRun(ctx, run)
}

// Of fifty concurrent sources one hangs. Each other one is written after its own delay,
// not later.
func TestFiftySourcesAndOneThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := &config.Config{}
		s := slow{map[string]time.Duration{}}
		for i := range 50 {
			id := fmt.Sprintf("s%02d", i)
			cfg.Sources = append(cfg.Sources, config.Source{ID: id, Interval: time.Minute})
			s.takes[id] = time.Duration(i) * 60 * time.Millisecond
		}
		s.takes["s07"] = time.Hour
		store := &finished{Store: memory.New(), began: time.Now(), after: map[string]time.Duration{}}
		p := Poller{
			Config: cfg, Store: store, Fetcher: s, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
			Now: time.Now, Token: func() string { return "w" }, Lease: time.Minute,
		}
		ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second)
		defer cancel()
		if err := p.Poll(ctx, time.Now()); err != nil {
			t.Fatal(err)
		}
		for id, after := range store.after {
			want := s.takes[id]
			if id == "s07" {
				want = 40 * time.Second
			}
			if after != want {
				t.Errorf("%s was written down after %s, want %s", id, after, want)
			}
		}
		if len(store.after) != 50 {
			t.Errorf("%d of 50 runs were written down", len(store.after))
		}
	})
}
