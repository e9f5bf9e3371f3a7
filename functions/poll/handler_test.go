package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/emf"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/poll"
)

// listed answers every poll with one failing item.
type listed struct {
	mu    sync.Mutex
	polls int
}

func (l *listed) Fetch(context.Context, config.Source) observation.Listing {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.polls++
	return observation.Listing{Complete: true, Items: []observation.Item{{
		Kind: "error", Verdict: observation.Failing, Summary: "It fails",
		Parts: []observation.Part{{Name: "issue", Value: "1"}},
	}}}
}

func newHandler(store *memory.Store, fetch poll.Fetcher) handler {
	now := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	var workers atomic.Int64
	token := func() string { return fmt.Sprint("worker-", workers.Add(1)) }
	return handler{&poll.Poller{
		Config: &config.Config{
			Sources:   []config.Source{{ID: "sentry", Owner: "checkout", Interval: time.Minute, Policy: incident.DefaultPolicy()}},
			Retention: config.Retention{Observations: time.Hour},
		},
		Store: store, Fetcher: fetch, Log: slog.New(slog.NewJSONHandler(io.Discard, nil)),
		Now: now, Token: token, Lease: time.Minute,
	}}
}

// invoke calls the handler as Lambda does: with the event's bytes.
func invoke(t *testing.T, h handler, payload string) error {
	t.Helper()
	_, err := lambda.NewHandler(h.handle).Invoke(t.Context(), []byte(payload))
	return err
}

func event(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAScheduledEventPollsItsTick(t *testing.T) {
	store := memory.New()
	if err := invoke(t, newHandler(store, &listed{}), event(t, "../../events/poll/scheduled.json")); err != nil {
		t.Fatal(err)
	}
	written := store.InsertedObservations(0)
	if len(written) != 1 || observation.FormatTick(written[0].Tick) != "2026-01-02T03:04:00Z" {
		t.Errorf("wrote %+v", written)
	}
}

func TestCaseD8TheSameScheduledTimeTwice(t *testing.T) {
	store, vendor := memory.New(), &listed{}
	h := newHandler(store, vendor)
	scheduled := event(t, "../../events/poll/scheduled.json")
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if err := invoke(t, h, scheduled); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if err := invoke(t, h, strings.Replace(scheduled, ":00Z", ":40Z", 1)); err != nil {
		t.Error(err)
	}
	if n := len(store.InsertedObservations(0)); n != 1 || vendor.polls != 1 {
		t.Errorf("three invocations polled %d times and wrote %d observations", vendor.polls, n)
	}
}

// strained is a vendor that had to be asked again, whose clock is ahead.
type strained struct{}

func (strained) Fetch(context.Context, config.Source) observation.Listing {
	return observation.Listing{Complete: true, Requests: 4, Limited: 1, Retries: 2, Waited: 1500 * time.Millisecond, Skew: 3 * time.Minute}
}

// What a poll cost its vendor is in the run's record and in metrics.
func TestWhatAPollCostIsRecordedAndMeasured(t *testing.T) {
	store, metrics := memory.New(), &strings.Builder{}
	h := newHandler(store, strained{})
	recorder := emf.New(metrics, "test", h.poller.Now)
	h.poller.Log = emf.Log(h.poller.Log, recorder)
	if err := invoke(t, h, event(t, "../../events/poll/scheduled.json")); err != nil {
		t.Fatal(err)
	}
	runs, err := store.Runs(t.Context(), "sentry", 1)
	if err != nil || len(runs) != 1 || runs[0].Requests != 4 || runs[0].Limited != 1 || runs[0].Retries != 2 || runs[0].Waited != 1500*time.Millisecond || runs[0].Skew != 3*time.Minute {
		t.Errorf("runs %+v, %v", runs, err)
	}
	if err := recorder.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"VendorRequests":4`, `"VendorRetries":2`, `"VendorRateLimited":1`, `"VendorWait":1500`, `"VendorSkew":180000`, `"Source":"sentry"`, `"Dimensions":[["Stack"],["Stack","Source"]]`} {
		if !strings.Contains(metrics.String(), want) {
			t.Errorf("the metrics lack %s: %s", want, metrics)
		}
	}
}

func TestAnEventWithoutItsScheduledTimeIsRefused(t *testing.T) {
	for name, payload := range map[string]string{
		"empty":              `{}`,
		"not filled in":      `{"scheduled_time":"<aws.scheduler.scheduled-time>"}`,
		"a number":           `{"scheduled_time":17}`,
		"a stream's event":   `{"Records":[]}`,
		"not even an object": `[]`,
	} {
		store := memory.New()
		err := invoke(t, newHandler(store, &listed{}), payload)
		if err == nil || !strings.Contains(err.Error(), "scheduled_time") {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(store.InsertedObservations(0)); n != 0 {
			t.Errorf("%s: wrote %d observations", name, n)
		}
	}
}
