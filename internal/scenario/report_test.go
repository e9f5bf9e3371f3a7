package scenario_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/report"
)

func (r *rig) measured(from, to time.Time) *report.Report {
	r.t.Helper()
	rep, err := report.Measurer{Store: r.tap.store.(report.Store)}.Measure(r.t.Context(), from, to)
	if err != nil {
		r.t.Fatal(err)
	}
	return rep
}

// seen30 returns a failure whose first event, by the vendor, was at 12:00:30.
func seen30() observation.Item {
	it := item("card", observation.Failing)
	it.Evidence.FirstSeen = noon.Add(30 * time.Second)
	return it
}

// TestTheReportOfAKnownHistory: an incident is told with a retry and a possible
// repeat, and opens again when one destination is gone. Every number is that of this
// history, on both stores.
func TestTheReportOfAKnownHistory(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		p := incident.DefaultPolicy()
		p.FailingRequired = 2
		r.setPolicy(p)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
		limited := whole(seen30())
		limited.Requests, limited.Limited, limited.Retries = 3, 1, 1
		for n, step := range []struct {
			listing observation.Listing
			slack   inbox.Fault
			late    time.Duration
		}{
			{listing: whole()},
			{listing: limited}, // first failing tick
			{listing: whole(seen30()), slack: inbox.ServerError()}, // opens
			{listing: whole(seen30())},                             // the retry arrives
			{listing: broken("HTTP 500")},                          //
			{listing: whole()},                                     //
			{listing: whole(), slack: inbox.AcceptAndClose()},      // resolves; it may have arrived
			{listing: whole()},                                     // the repeat arrives
			{listing: whole(seen30())},                             // fails again
			{whole(seen30()), inbox.Gone(), 30 * time.Second},      // opens again; Slack is gone
		} {
			if step.slack != (inbox.Fault{}) {
				r.inbox.Script(slackDest, step.slack)
			}
			if step.late > 0 {
				r.now = noon.Add(time.Duration(n)*time.Minute + 2*time.Second + step.late)
			}
			v.set("vendor", step.listing)
			r.tick(n)
		}
		got := r.measured(noon, noon.Add(time.Hour))
		want := &report.Report{
			From: noon, To: noon.Add(time.Hour), Incidents: 2, Opened: 2,
			Times: report.Times{
				Detect:    report.Spread{N: 2, P50: 62, P95: 92, Max: 92},
				FromEvent: report.Spread{N: 1, P50: 92, P95: 92, Max: 92},
				Notify:    report.Spread{N: 5, P50: 0, P95: 60, Max: 60},
				Opens:     report.Spread{N: 3, P50: 0, P95: 60, Max: 60},
				EndToEnd:  report.Spread{N: 2, P50: 62, P95: 92, Max: 92},
			},
			Messages: report.Messages{Accepted: 6, MayBeTwice: 1, AtMost: 1.0 / 6},
			Sources: []report.Source{{
				Source: "vendor", Polls: 10, OK: 9, Failed: 1, Requests: 12, Retries: 1, Limited: 1, LimitedShare: 1.0 / 12, First: noon,
			}},
			Destinations: []report.Destination{
				{Destination: mailDest, Messages: 4, Accepted: 4, Attempts: 4, Failed: map[string]int{}},
				{
					Destination: slackDest, Messages: 3, Accepted: 2, Dead: 1, Attempts: 5,
					Failed: map[string]int{"temporary": 1, "ambiguous": 1, "permanent": 1}, FailedShare: 0.6,
				},
			},
			Owners: []report.Owner{{
				Owner: "payments", Incidents: 2, Notices: map[string]int{"open": 3, "resolve": 2, "refused": 1}, Total: 6,
			}},
			Whole: report.Whole{Incidents: 2, Whole: 2, Share: 1, Lacking: map[string]int{}, Not: []report.Lack{}},
			Notes: []string{}, Definitions: report.Definitions(),
			Reads: report.Reads{Incidents: 2, Decisions: 3, Deliveries: 7, Runs: 10},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		// The period is the first five minutes. The resolve is told later, but the
		// episode is judged as a whole.
		part := r.measured(noon, noon.Add(5*time.Minute))
		if part.Incidents != 1 || part.Opened != 1 || part.Times.Notify.N != 2 || part.Sources[0].Polls != 6 || part.Whole.Whole != 1 || part.Messages.Accepted != 2 {
			t.Errorf("five minutes of it: %+v", part)
		}
		if none := r.measured(noon.Add(time.Hour), noon.Add(2*time.Hour)); none.Incidents != 0 || none.Whole.Share != 0 || len(none.Notes) != 1 {
			t.Errorf("an hour later: %+v", none)
		}
	})
}

// TestTheReportCountsADigestOnce: the items are told when their digest is, and it is
// one message.
func TestTheReportCountsADigestOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 5 })
		r.inbox.Script(slackDest, inbox.ServerError())
		var fail []observation.Observation
		for n := range 40 {
			fail = append(fail, observedKey(n, noon, observation.Failing))
		}
		r.now = noon.Add(2 * time.Second)
		if failed := r.deliverer().Deliver(t.Context(), r.decideOnly(fail...)); len(failed) > 0 {
			t.Fatal(failed)
		}
		r.now = noon.Add(time.Minute + 2*time.Second)
		r.sweep()
		rep := r.measured(noon, noon.Add(time.Hour))
		want := report.Destination{
			Destination: slackDest, Messages: 1, Accepted: 1, Attempts: 2, Failed: map[string]int{"temporary": 1}, FailedShare: 0.5,
		}
		if diff := cmp.Diff([]report.Destination{want}, rep.Destinations); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		owner := report.Owner{Owner: "payments", Incidents: 40, Notices: map[string]int{"digest": 1}, Total: 1}
		if diff := cmp.Diff([]report.Owner{owner}, rep.Owners); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		if (rep.Times.Notify != report.Spread{N: 40, P50: 60, P95: 60, Max: 60}) || rep.Whole.Whole != 40 || rep.Messages.Accepted != 1 {
			t.Errorf("times %+v, whole %+v, messages %+v", rep.Times, rep.Whole, rep.Messages)
		}
	})
}

// TestTheReportAgreesWithTheUsage is case O4: after a storm with all kinds of answers,
// the report's attempts and accepted messages are those of the counters.
func TestTheReportAgreesWithTheUsage(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	p := incident.DefaultPolicy()
	p.Cooldown = time.Minute
	r.setPolicy(p)
	r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
	r.inbox.Script(mailTo, inbox.ServerError(), inbox.RateLimited(5), inbox.AcceptAndClose())
	r.inbox.Script(slackDest, inbox.AcceptAndClose(), inbox.ServerError(), inbox.Gone())
	r.play(v, "FFFFFHHFHHFHH")
	for range 5 {
		r.now = r.now.Add(2 * time.Minute)
		r.sweep()
	}
	rep := r.measured(noon.AddDate(0, 0, -1), noon.AddDate(0, 0, 1))
	var counted delivery.Usage
	for _, u := range r.usage() {
		counted.Attempted += u.Attempted
		counted.Delivered += u.Delivered
		counted.Held += u.Held
		counted.Dead += u.Dead
	}
	var sum report.Destination
	for _, d := range rep.Destinations {
		sum.Attempts += d.Attempts
		sum.Accepted += d.Accepted
		sum.Held += d.Held
		sum.Dead += d.Dead
	}
	got := delivery.Usage{Attempted: int64(sum.Attempts), Delivered: int64(sum.Accepted), Held: int64(sum.Held), Dead: int64(sum.Dead)}
	if diff := cmp.Diff(counted, got, cmpopts.IgnoreFields(delivery.Usage{}, "Day", "Owner", "CostCenter", "Channel", "Source", "DeliveryID")); diff != "" || got.Dead == 0 {
		t.Errorf("-counted +reported\n%s", diff)
	}
}

// without is a store that hides some of its rows.
type without struct {
	*memory.Store
	decision func(incident.Decision) (incident.Decision, bool)
	delivery func(delivery.Delivery) (delivery.Delivery, bool)
	blind    bool
}

func (w without) Decisions(ctx context.Context, key string) ([]incident.Decision, error) {
	all, err := w.Store.Decisions(ctx, key)
	if w.decision == nil {
		return all, err
	}
	var kept []incident.Decision
	for _, d := range all {
		if d, ok := w.decision(d); ok {
			kept = append(kept, d)
		}
	}
	return kept, err
}

func (w without) Episodes(ctx context.Context, key string, first, last int, yield func(delivery.Delivery) error) error {
	return w.Store.Episodes(ctx, key, first, last, func(d delivery.Delivery) error {
		if w.delivery != nil {
			var ok bool
			if d, ok = w.delivery(d); !ok {
				return nil
			}
		}
		return yield(d)
	})
}

func (w without) Observations(ctx context.Context, key string, from, to time.Time, yield func(observation.Observation) error) error {
	if w.blind {
		return nil
	}
	return w.Store.Observations(ctx, key, from, to, yield)
}

// TestAnIncidentLacksWhatIsMissing removes each part of an incident that can be
// reconstructed: the report names that part and no other.
func TestAnIncidentLacksWhatIsMissing(t *testing.T) {
	v, mem := newVendor(), memory.New()
	r := newRig(t, mem, v)
	r.inbox.Script(slackDest, inbox.ServerError())
	r.play(v, "FFHH")
	keep := func(d delivery.Delivery) (delivery.Delivery, bool) { return d, true }
	for name, c := range map[string]struct {
		without without
		want    string
	}{
		"nothing": {without{}, ""},
		"the open": {without{decision: func(d incident.Decision) (incident.Decision, bool) {
			return d, d.Action != incident.Open
		}}, "decisions"},
		"the resolve": {without{decision: func(d incident.Decision) (incident.Decision, bool) {
			return d, d.Action != incident.Resolve
		}}, "decisions"},
		"a reason": {without{decision: func(d incident.Decision) (incident.Decision, bool) {
			d.Reason = ""
			return d, true
		}}, "decisions"},
		"a source": {without{decision: func(d incident.Decision) (incident.Decision, bool) {
			d.Source = ""
			return d, true
		}}, "source"},
		"a message": {without{delivery: func(d delivery.Delivery) (delivery.Delivery, bool) {
			return d, d.Action != incident.Open || d.Destination != slackDest
		}}, "attempts"},
		"an attempt": {without{delivery: func(d delivery.Delivery) (delivery.Delivery, bool) {
			d.Attempts = slices.Clone(d.Attempts[len(d.Attempts)-1:])
			return d, true
		}}, "attempts"},
		"an outcome": {without{delivery: func(d delivery.Delivery) (delivery.Delivery, bool) {
			d.Attempts = slices.Clone(d.Attempts)
			d.Attempts[0].Ended = time.Time{}
			return d, true
		}}, "attempts"},
		"observations": {without{blind: true, delivery: keep}, ""},
		"texts of messages": {without{delivery: func(d delivery.Delivery) (delivery.Delivery, bool) {
			d.Notice.Summary, d.Notice.Evidence.VendorID = "", ""
			return d, true
		}}, ""},
		"all texts": {without{blind: true, delivery: func(d delivery.Delivery) (delivery.Delivery, bool) {
			d.Notice.Summary, d.Notice.Evidence.VendorID = "", ""
			return d, true
		}}, "first evidence, last evidence, link or id"},
		"link and id": {without{delivery: func(d delivery.Delivery) (delivery.Delivery, bool) {
			d.Notice.Evidence.VendorID, d.Notice.Evidence.Link = "", "javascript:alert(1)"
			return d, true
		}}, "link or id"},
	} {
		c.without.Store = mem
		rep, err := report.Measurer{Store: c.without}.Measure(t.Context(), noon, noon.Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, l := range rep.Whole.Not {
			got = strings.Join(l.Parts, ", ")
			if len(l.Why) != len(l.Parts) || l.Key != r.state().Key || l.Episode != 1 {
				t.Errorf("%s: %+v", name, l)
			}
		}
		if lacking := strings.Join(slices.Sorted(maps.Keys(rep.Whole.Lacking)), ", "); got != c.want || rep.Whole.Whole != 1-len(rep.Whole.Not) || got != "" && len(strings.Split(lacking, ", ")) != len(strings.Split(got, ", ")) {
			t.Errorf("without %s it lacks %q, want %q; %+v", name, got, c.want, rep.Whole)
		}
	}
}

// TestAnOldIncidentLacksItsResolve: a later open does not stand in for a missing
// resolve.
func TestAnOldIncidentLacksItsResolve(t *testing.T) {
	v, mem := newVendor(), memory.New()
	r := newRig(t, mem, v)
	r.play(v, "FHHFHH")
	w := without{Store: mem, decision: func(d incident.Decision) (incident.Decision, bool) {
		return d, d.Episode != 1 || d.Action != incident.Resolve
	}}
	rep, err := report.Measurer{Store: w}.Measure(t.Context(), noon, noon.Add(time.Hour))
	if err != nil || len(rep.Whole.Not) != 1 || rep.Whole.Not[0].Episode != 1 || rep.Whole.Not[0].Why[0] != "the incident is over, and no resolve is stored" {
		t.Errorf("%+v, %v", rep.Whole, err)
	}
}
