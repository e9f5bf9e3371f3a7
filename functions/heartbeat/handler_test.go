package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/emf"
	"github.com/ringonce/ringonce/internal/heartbeat"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/setup"
)

// tick is the time in events/heartbeat/scheduled.json.
var tick = time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)

type depth int

func (d depth) Depth(context.Context) (int, error) { return int(d), nil }

// beatOnce handles the recorded event and returns the metrics that it wrote.
func beatOnce(t *testing.T, waiting depth, ping func(context.Context, []string) error) map[string]any {
	t.Helper()
	store := memory.New()
	if err := store.PutBeat(t.Context(), observation.Beat{Part: observation.BeatSweep, Tick: tick, At: tick}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	now := func() time.Time { return tick }
	metrics := emf.New(&out, "test", now)
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	h := handler{log, metrics, &heartbeat.Checker{Config: &config.Config{}, Store: store, Queue: waiting, Now: now}, ping}
	payload, err := os.ReadFile("../../events/heartbeat/scheduled.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := setup.Counted(h.handle, metrics, log).Invoke(t.Context(), payload); err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	return line
}

func TestTheHeartbeatIsOneOnlyWhenAllIsWell(t *testing.T) {
	if m := beatOnce(t, 0, nil); m["Heartbeat"] != 1.0 || m["FailureQueueDepth"] != 0.0 {
		t.Errorf("all is well: %v", m)
	}
	if m := beatOnce(t, 2, nil); m["Heartbeat"] != 0.0 || m["FailureQueueDepth"] != 2.0 {
		t.Errorf("records were given up: %v", m)
	}
}

func TestTheSwitchIsToldWhyAndItsFailureCounts(t *testing.T) {
	var told []string
	m := beatOnce(t, 1, func(_ context.Context, problems []string) error {
		told = problems
		return errors.New("not reached")
	})
	if len(told) != 1 || !strings.Contains(told[0], "failure queue") || m["PingFailures"] != 1.0 {
		t.Errorf("told %q, metrics %v", told, m)
	}
}
