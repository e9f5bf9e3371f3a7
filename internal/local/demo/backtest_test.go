package demo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/recorded"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay"
	"github.com/ringonce/ringonce/internal/replay/trace"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// after looks at the tables when the story is over.
type after = func(ctx context.Context, store *dynamo.Store, configPath string) error

// equalsItsBacktest is case O3: what the story recorded, exported as a trace
// and replayed under the policies it was decided by, gives exactly the notices
// that were sent, and sends none.
func equalsItsBacktest(t *testing.T) after {
	return func(ctx context.Context, store *dynamo.Store, configPath string) error {
		cfg, _, err := config.Load(configPath, preset.FS)
		if err != nil {
			return err
		}
		before, err := notified(ctx, store)
		if err != nil {
			return err
		}
		path := filepath.Join(t.TempDir(), "story.jsonl")
		if err := export(ctx, store, path); err != nil {
			return err
		}
		replayed, err := backtested(t, cfg, path)
		if err != nil {
			return err
		}
		if len(before) < 10 || !slices.Equal(before, replayed) {
			t.Errorf("case O3: live\n%v\nreplayed\n%v", before, replayed)
		}
		now, err := notified(ctx, store)
		if !slices.Equal(before, now) {
			t.Errorf("case O3: the backtest sent something: %v", now)
		}
		return err
	}
}

// notified are the notices in the outbox, each once whatever its destinations.
func notified(ctx context.Context, store *dynamo.Store) ([]string, error) {
	var all []string
	err := store.Deliveries(ctx, func(d delivery.Delivery) error {
		all = append(all, fmt.Sprintf("%s episode %d notice %d: %s at %s\n",
			d.IncidentKey, d.Episode, d.Sequence, d.Action, observation.FormatTick(d.Tick)))
		return nil
	})
	slices.Sort(all)
	return slices.Compact(all), err
}

func export(ctx context.Context, store *dynamo.Store, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := trace.NewWriter(file)
	for row, err := range recorded.Rows(ctx, store) {
		if err != nil {
			return err
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return w.Close()
}

func backtested(t *testing.T, cfg *config.Config, path string) ([]string, error) {
	tools := replay.Tools{Live: func() (replay.Candidate, replay.Pricing, error) {
		return recorded.Live(cfg), recorded.Pricing(cfg), nil
	}}
	out := filepath.Join(t.TempDir(), "notices.jsonl")
	var errs bytes.Buffer
	if code := tools.Backtest([]string{"--live", "--quiet", "--notices", out, path}, io.Discard, &errs); code != 0 {
		return nil, fmt.Errorf("backtest: exit status %d: %s", code, errs.String())
	}
	content, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var all []string
	for dec := json.NewDecoder(bytes.NewReader(content)); dec.More(); {
		var n replay.Notice
		if err := dec.Decode(&n); err != nil {
			return nil, err
		}
		all = append(all, fmt.Sprintf("%s episode %d notice %d: %s at %s\n", n.IncidentKey, n.Episode, n.Sequence, n.Action, n.Tick))
	}
	slices.Sort(all)
	return all, nil
}
