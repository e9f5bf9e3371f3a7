package scenario_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/emf"
	"github.com/ringonce/ringonce/internal/observation"
)

// prevented returns how many duplicates the metrics say were prevented while
// something is played.
func (r *rig) prevented(play func()) float64 {
	r.t.Helper()
	var out bytes.Buffer
	metrics := emf.New(&out, "test", r.clock)
	r.log = emf.Log(slog.New(slog.NewJSONHandler(io.Discard, nil)), metrics)
	play()
	if err := metrics.Flush(); err != nil {
		r.t.Fatal(err)
	}
	sum := 0.0
	for lines := json.NewDecoder(&out); lines.More(); {
		var line struct{ DuplicatesPrevented float64 }
		if err := lines.Decode(&line); err != nil {
			r.t.Fatal(err)
		}
		sum += line.DuplicatesPrevented
	}
	return sum
}

// What would have been a second message is counted where it is prevented, and
// nothing else is.
func TestDuplicatesPreventedAreCounted(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		v.set("vendor", whole(item("card", observation.Failing)))
		expect := func(what string, want float64, play func()) {
			t.Helper()
			if got := r.prevented(play); got != want {
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
