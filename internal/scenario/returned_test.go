package scenario_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/receipts"
)

// comesBack makes SES report that a mail bounced, arrives that it was delivered.
func (r *rig) comesBack(d delivery.Delivery) { r.receipt(d, delivery.Bounced) }
func (r *rig) arrives(d delivery.Delivery)   { r.receipt(d, delivery.Arrived) }

func (r *rig) receipt(d delivery.Delivery, fate delivery.Fate) {
	r.t.Helper()
	fallbacks := &receipts.Fallbacks{Config: r.cfg, Ledger: r.tap, Render: channels.Render, Log: r.log, Now: r.clock}
	x := &receipts.Receiver{Ledger: r.tap.store.(receipts.Ledger), Fallback: fallbacks.Items, Log: r.log, Now: r.clock}
	if err := x.Receive(r.t.Context(), d.ID, "ses-1", delivery.Receipt{Fate: fate, At: r.clock()}); err != nil {
		r.t.Fatal(err)
	}
}

// mailOf returns the mail that tells an action.
func (r *rig) mailOf(a incident.Action) delivery.Delivery {
	r.t.Helper()
	for _, d := range r.ledger() {
		if d.Action == a && d.Destination == mailDest && d.For == "" {
			return d
		}
	}
	r.t.Fatalf("no %s was mailed", a)
	return delivery.Delivery{}
}

// mailBefore makes mail the destination and PagerDuty its fallback.
func (r *rig) mailBefore(digestOver int) {
	r.t.Helper()
	r.pagerFor(r.t)
	r.audience(mailDest)
	r.configure(mailDest, func(d *config.Destination) { d.Fallback, d.DigestOver = pager, digestOver })
	p := incident.DefaultPolicy()
	p.HealthyRequired = 1
	r.setPolicy(p)
}

// TestAnOpenThatComesBackAfterTheEndOpensNothing: an open bounces after its incident
// has resolved, before or after the resolve bounces as well. No alert is left open at
// the fallback, which gets no later resolve.
func TestAnOpenThatComesBackAfterTheEndOpensNothing(t *testing.T) {
	for name, resolveToo := range map[string]bool{"the open alone": false, "the resolve before it": true} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				v := newVendor()
				r := newRig(t, s, v)
				r.mailBefore(0)
				v.set("vendor", whole(item("card", observation.Failing)))
				r.tick(0)
				v.set("vendor", whole())
				r.tick(1)
				if resolveToo {
					r.comesBack(r.mailOf(incident.Resolve))
					r.tick(2)
				}
				r.comesBack(r.mailOf(incident.Open))
				r.tick(3)
				r.tick(4)
				if all, open := r.alerts(); open != 0 {
					t.Errorf("PagerDuty has %d alerts, %d open", all, open)
				}
				var told []string
				for _, d := range r.ledger() {
					if d.Destination == pager && d.State == delivery.Delivered {
						told = append(told, string(d.Action)+" of what is "+string(d.Notice.Action))
					}
				}
				want := map[bool]string{false: "open of what is resolve", true: "resolve of what is resolve"}
				if strings.Join(told, ", ") != want[resolveToo] {
					t.Errorf("the fallback was told %v", told)
				}
			})
		})
	}
}

// TestTheEndFollowsAnOpenThatCameBack: an open bounces while its incident is open. The
// fallback is told of it, and of the resolve.
func TestTheEndFollowsAnOpenThatCameBack(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.mailBefore(0)
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(0)
		r.comesBack(r.mailOf(incident.Open))
		r.tick(1)
		if all, open := r.alerts(); all != 1 || open != 1 {
			t.Fatalf("PagerDuty has %d alerts, %d open", all, open)
		}
		v.set("vendor", whole())
		r.tick(2)
		r.tick(3)
		if all, open := r.alerts(); all != 1 || open != 0 {
			t.Errorf("after the end PagerDuty has %d alerts, %d open", all, open)
		}
	})
}

// TestADigestThatComesBackIsToldByItsItems: a digest bounces. The fallback is told
// each incident separately, and each resolve, whether it was mailed before or after
// that.
func TestADigestThatComesBackIsToldByItsItems(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.mailBefore(2)
		v.set("vendor", whole(item("card", observation.Failing), item("bank", observation.Failing), item("cash", observation.Failing)))
		r.tick(0)
		v.set("vendor", whole(item("card", observation.Failing), item("bank", observation.Failing)))
		r.tick(1)
		r.comesBack(r.mailOf(delivery.Digest))
		r.tick(2)
		if all, open := r.alerts(); all != 2 || open != 2 {
			t.Fatalf("PagerDuty has %d alerts, %d open: %+v", all, open, r.inbox.Alerts())
		}
		v.set("vendor", whole())
		r.tick(3)
		r.tick(4)
		if all, open := r.alerts(); all != 2 || open != 0 {
			t.Errorf("after the ends PagerDuty has %d alerts, %d open", all, open)
		}
	})
}

// TestAnEndInDoubtFollowsWhatCameBack: an open bounces, and its resolve is in doubt:
// held, or settled by SES alone. The fallback is told of the resolve as well.
func TestAnEndInDoubtFollowsWhatCameBack(t *testing.T) {
	for name, hold := range map[string]bool{"held": true, "settled by SES": false} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				v := newVendor()
				r := newRig(t, s, v)
				r.mailBefore(0)
				if hold {
					r.configure(mailDest, func(d *config.Destination) {
						d.OnAmbiguous = map[incident.Action]delivery.Ambiguity{incident.Resolve: delivery.Hold}
					})
				}
				v.set("vendor", whole(item("card", observation.Failing)))
				r.tick(0)
				r.comesBack(r.mailOf(incident.Open))
				r.tick(1)
				r.inbox.Script(mailTo, inbox.AcceptAndClose())
				v.set("vendor", whole())
				r.tick(2)
				if !hold {
					r.arrives(r.mailOf(incident.Resolve))
				}
				r.tick(3)
				r.tick(4)
				if all, open := r.alerts(); all != 1 || open != 0 {
					t.Errorf("PagerDuty has %d alerts, %d open", all, open)
				}
			})
		})
	}
}
