package scenario_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/emf"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// counted returns the metrics that are counted while play runs.
func (r *rig) counted(play func()) map[string]float64 {
	r.t.Helper()
	var out bytes.Buffer
	metrics := emf.New(&out, "test", r.clock)
	r.log = emf.Log(slog.New(slog.NewJSONHandler(io.Discard, nil)), metrics)
	play()
	if err := metrics.Flush(); err != nil {
		r.t.Fatal(err)
	}
	sums := map[string]float64{}
	for lines := json.NewDecoder(&out); lines.More(); {
		var line map[string]any
		if err := lines.Decode(&line); err != nil {
			r.t.Fatal(err)
		}
		for name, value := range line {
			if n, ok := value.(float64); ok {
				sums[name] += n
			}
		}
	}
	return sums
}

// TestDuplicatesPreventedAreCounted: each message that would have been a duplicate is
// counted where it is prevented, and nothing else is.
func TestDuplicatesPreventedAreCounted(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		v.set("vendor", whole(item("card", observation.Failing)))
		expect := func(what string, want float64, play func()) {
			t.Helper()
			if got := r.counted(play)[string(emf.DuplicatesPrevented)]; got != want {
				t.Errorf("%s: %v duplicates were prevented, want %v", what, got, want)
			}
		}
		var again []observation.Observation
		expect("an incident that opens", 0, func() {
			r.now = noon.Add(2 * time.Second)
			if err := r.poller().Poll(t.Context(), noon); err != nil {
				t.Fatal(err)
			}
			again, _ = r.tap.take()
			if failed := r.decider().Decide(t.Context(), again); len(failed) > 0 {
				t.Fatal(failed)
			}
		})
		expect("a schedule that fires twice", 1, func() {
			if err := r.poller().Poll(t.Context(), noon); err != nil {
				t.Fatal(err)
			}
		})
		expect("a stream record that comes twice", 1, func() {
			if failed := r.decider().Decide(t.Context(), again); len(failed) > 0 {
				t.Fatal(failed)
			}
		})
		_, due := r.tap.take()
		if len(due) != 1 {
			t.Fatalf("%d items are due, want 1", len(due))
		}
		held, err := r.tap.Claim(t.Context(), due[0].Ref, "another", r.clock(), r.clock().Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		expect("an item that another worker is sending", 1, func() {
			if failed := r.deliverer().Deliver(t.Context(), due); len(failed) > 0 {
				t.Fatal(failed)
			}
		})
		if told := r.toldEqually(); told != "-" {
			t.Errorf("told %s while another worker held it", told)
		}
		if held.State != delivery.Sending {
			t.Errorf("it is %s", held.State)
		}
	})
}

// overtaken is a store in which another worker commits first, once.
type overtaken struct {
	decide.Store
	first func()
}

func (o *overtaken) Commit(ctx context.Context, s incident.State, d incident.Decision, out []delivery.Delivery) error {
	if o.first == nil {
		return o.Store.Commit(ctx, s, d, out)
	}
	o.first()
	o.first = nil
	return incident.ErrConflict
}

// TestALostRaceIsNoDecision: two workers that decide the same concurrently make one
// decision and one prevented duplicate.
func TestALostRaceIsNoDecision(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		v.set("vendor", whole(item("card", observation.Failing)))
		if err := r.poller().Poll(t.Context(), noon); err != nil {
			t.Fatal(err)
		}
		obs, _ := r.tap.take()
		work := func(d *decide.Decider) {
			if failed := d.Decide(t.Context(), obs); len(failed) > 0 {
				t.Fatal(failed)
			}
		}
		opens := 0
		got := r.counted(func() {
			slower := r.decider()
			slower.Store = &overtaken{r.tap, func() { work(r.decider()) }}
			r.now = noon.Add(2 * time.Second)
			work(slower)
			_, due := r.tap.take()
			opens = len(due)
		})
		// One opened the incident; the other then found the observation already folded.
		if got["Decisions"] != 2 || got["DuplicatesPrevented"] != 1 || opens != 2 {
			t.Errorf("%v decisions, %v duplicates prevented, %d messages", got["Decisions"], got["DuplicatesPrevented"], opens)
		}
	})
}
