package scenario_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/receipts"
)

// audit compares the counters of some days with the ledger.
func (r *rig) audit(from, to time.Time) {
	r.t.Helper()
	counters, err := r.tap.Usage(r.t.Context(), from, to)
	if err != nil {
		r.t.Fatal(err)
	}
	ledger, err := explain.Ledger(r.t.Context(), r.tap.store.(explain.Store), from, to)
	if err != nil {
		r.t.Fatal(err)
	}
	if wrong := explain.Audit(counters, ledger); len(wrong) > 0 {
		r.t.Errorf("from %s to %s the counters are off: %s", from.Format(time.DateOnly), to.Format(time.DateOnly), strings.Join(wrong, "\n"))
	}
}

// inState returns the last item of the ledger in a state.
func (r *rig) inState(st delivery.State) (found delivery.Delivery) {
	r.t.Helper()
	for _, d := range r.ledger() {
		if d.State == st {
			found = d
		}
	}
	if found.ID == "" {
		r.t.Fatalf("no item is %s", st)
	}
	return found
}

func (r *rig) sweeps(n int, every time.Duration) {
	for range n {
		r.now = r.now.Add(every)
		r.sweep()
	}
}

// TestCaseO4RareFatesAddUpToTheLedger is case O4 for rare outcomes: the counters are
// those that the ledger gives.
func TestCaseO4RareFatesAddUpToTheLedger(t *testing.T) {
	day := noon.Truncate(24 * time.Hour)
	failing := func(r *rig) { r.decideOnly(observed(r.now.Truncate(time.Minute), observation.Failing)) }
	for name, play := range map[string]func(t *testing.T, r *rig, s store){
		"more attempts than are kept": func(t *testing.T, r *rig, _ store) {
			for range 70 {
				r.inbox.Script(slackDest, inbox.ServerError())
			}
			failing(r)
			r.sweeps(80, 6*time.Minute)
			if d := r.ledger()[0]; d.Tries() != 71 || d.State != delivery.Delivered {
				t.Errorf("%d tries, %s", d.Tries(), d.State)
			}
		},
		"given up after more attempts than are kept, and told to the fallback": func(t *testing.T, r *rig, _ store) {
			r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
			r.inbox.Script(slackDest, slices.Repeat([]inbox.Fault{inbox.ServerError()}, 300)...)
			failing(r)
			r.sweeps(250, 6*time.Minute)
			if d := r.inState(delivery.Dead); len(d.LeftOut) == 0 {
				t.Errorf("%d tries", d.Tries())
			}
			if d := r.inState(delivery.Delivered); d.For != slackDest || d.Tries() != 1 {
				t.Errorf("%d tries for %q", d.Tries(), d.For)
			}
		},
		"dead without an attempt": func(t *testing.T, r *rig, _ store) {
			r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
			r.inbox.Script(slackDest, inbox.Gone())
			failing(r)
			r.sweep()
			r.decideOnly(observedKey(3, noon.Add(time.Minute), observation.Failing))
			r.sweeps(3, time.Minute)
			if dead := r.inState(delivery.Dead); len(dead.Attempts) > 0 {
				t.Errorf("%d attempts", len(dead.Attempts))
			}
		},
		"resent by a person": func(t *testing.T, r *rig, s store) {
			r.inbox.Script(slackDest, inbox.AcceptAndClose(), inbox.AcceptAndClose())
			failing(r)
			r.sweeps(5, time.Minute)
			if err := s.Resend(t.Context(), r.inState(delivery.Held).Ref(), r.now); err != nil {
				t.Fatal(err)
			}
			r.audit(day, day)
			r.sweeps(2, time.Minute)
		},
		"dead, and resent by a person": func(t *testing.T, r *rig, s store) {
			r.inbox.Script(slackDest, inbox.Gone())
			r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
			failing(r)
			r.sweeps(2, time.Minute)
			d := r.inState(delivery.Dead)
			if err := s.Resend(t.Context(), d.Ref(), r.now); err != nil {
				t.Fatal(err)
			}
			r.sweeps(2, time.Minute)
		},
		"closed by a person": func(t *testing.T, r *rig, s store) {
			r.inbox.Script(slackDest, inbox.AcceptAndClose(), inbox.AcceptAndClose())
			failing(r)
			r.sweeps(5, time.Minute)
			if err := s.CloseStopped(t.Context(), r.inState(delivery.Held).Ref(), "closed"); err != nil {
				t.Fatal(err)
			}
		},
		"given up the day after its last attempt": func(t *testing.T, r *rig, _ store) {
			r.now = day.Add(23*time.Hour + 58*time.Minute)
			r.inbox.Script(slackDest, inbox.ServerError())
			failing(r)
			r.sweep()
			r.now = r.now.Add(r.cfg.Delivery.GiveUpAfter + time.Minute)
			r.sweep()
			r.inState(delivery.Dead)
		},
		"a receipt after midnight": func(t *testing.T, r *rig, s store) {
			r.now = day.Add(23*time.Hour + 58*time.Minute)
			r.audience(mailDest)
			r.configure(mailDest, func(d *config.Destination) {
				d.OnAmbiguous = map[incident.Action]delivery.Ambiguity{incident.Open: delivery.Hold}
			})
			r.inbox.Script(mailTo, inbox.AcceptAndClose())
			failing(r)
			r.sweep()
			d := r.inState(delivery.Held)
			r.now = r.now.Add(5 * time.Minute)
			x := receipts.Receiver{Ledger: s.(receipts.Ledger), Log: r.log, Now: r.clock}
			if err := x.Receive(t.Context(), d.ID, "m-1", delivery.Receipt{Fate: delivery.Arrived, At: r.now}); err != nil {
				t.Fatal(err)
			}
		},
		"put back after a repeat": func(t *testing.T, r *rig, _ store) {
			r.inbox.Script(slackDest, inbox.AcceptAndClose(), inbox.ServerError())
			failing(r)
			r.sweeps(2, time.Minute)
			r.now = r.now.Add(r.cfg.Delivery.GiveUpAfter)
			r.sweep()
			r.inState(delivery.Dead)
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				r := newRig(t, s, newVendor())
				r.audience(slackDest)
				play(t, r, s)
				r.audit(day, day)
				r.audit(day.AddDate(0, 0, 1), day.AddDate(0, 0, 1))
				r.audit(day, day.AddDate(0, 0, 2))
			})
		})
	}
}
