package scenario_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/receipts"
	"github.com/ringonce/ringonce/internal/silence"
)

// TestTheParagraphIsTrue: the paragraph that says why these notices came claims no
// more than the ledger holds.
func TestTheParagraphIsTrue(t *testing.T) {
	minutely := incident.DefaultPolicy()
	minutely.Cooldown = time.Minute
	flapping := incident.DefaultPolicy()
	flapping.FlapEpisodes, flapping.FlapWindow, flapping.FlapStableTicks = 2, time.Hour, 7
	to := func(n int) explain.Query { return explain.Query{To: minute(n)} }
	for _, tc := range []struct {
		name   string
		policy incident.Policy
		before func(r *rig)
		ticks  string
		after  func(r *rig)
		query  explain.Query
		says   []string
		not    []string
	}{
		{
			name: "a destination that refuses was not told", ticks: "F",
			before: func(r *rig) { r.inbox.Script(slackDest, inbox.Gone()) },
			says:   []string{"and told mail-payments, not slack-payments."},
		},
		{
			name: "its fallback was", ticks: "F",
			before: func(r *rig) {
				r.audience(slackDest)
				r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
				r.inbox.Script(slackDest, inbox.Gone())
			},
			says: []string{"and told mail-payments (in place of slack-payments)."},
		},
		{
			name: "what waits has told nobody yet", ticks: "F",
			before: func(r *rig) { r.audience(slackDest); r.inbox.Script(slackDest, inbox.ServerError()) },
			says:   []string{"and told nobody.", "is pending"},
		},
		{
			name: "a reminder in doubt", ticks: "FF", policy: minutely,
			before: func(r *rig) { r.audience(slackDest); r.inbox.Script(slackDest, inbox.Fault{}, inbox.AcceptAndClose()) },
			says:   []string{"so 1 reminder came due, at 12:01.", "is held", "so whether it arrived is not known."},
			not:    []string{"went out", "more than once"},
		},
		{
			name: "sent again under the same idempotency key", ticks: "FF",
			before: func(r *rig) {
				r.pagerFor(r.t)
				r.audience(pager)
				r.inbox.Script(pager, inbox.AcceptAndClose())
			},
			says: []string{"and told pager.", "so it arrived once."},
			not:  []string{"more than once"},
		},
		{
			name: "a resolve after what is shown", ticks: "FFHH", query: to(1),
			says: []string{"from 12:00 until it resolved at 2026-03-01 12:03 UTC."},
			not:  []string{"open still"},
		},
		{
			name: "an open that a silence kept from all", ticks: "FF",
			before: func(r *rig) { r.silent(quietFor("s", 0, 9)) },
			says:   []string{"and told nobody.", "1 failing poll (12:01 UTC) told nobody: the incident was open already"},
			not:    []string{"had been told"},
		},
		{
			name: "only the end of a silence is shown", ticks: "FFFF",
			before: func(r *rig) { r.silent(quietFor("s", 0, 2)) },
			query:  explain.Query{From: minute(2), To: minute(3)},
			says:   []string{"It was still failing when a silence had ended: at 12:02 that told mail-payments and slack-payments."},
			not:    []string{"Nobody was told"},
		},
		{
			name: "a flapping incident takes longer to resolve", ticks: "FHHF", policy: flapping,
			says: []string{"It will resolve after 7 healthy polls in a row."},
		},
		{
			name: "a mail that came back", ticks: "F",
			after: func(r *rig) { r.bounce(mailDest) },
			says:  []string{"and told slack-payments, not mail-payments.", "1 message arrived at the first attempt.", "its provider said later that it bounced (mailbox_full)"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := newVendor()
			r := newRig(t, memory.New(), v)
			if tc.policy.Cooldown > 0 {
				r.setPolicy(tc.policy)
			}
			if tc.before != nil {
				tc.before(r)
			}
			r.play(v, tc.ticks)
			if tc.after != nil {
				tc.after(r)
			}
			why := r.explained(r.state().Key, tc.query).Why
			for _, want := range tc.says {
				if !strings.Contains(why, want) {
					t.Errorf("it does not say %q", want)
				}
			}
			for _, wrong := range tc.not {
				if strings.Contains(why, wrong) {
					t.Errorf("it says %q", wrong)
				}
			}
			if t.Failed() {
				t.Log(why)
			}
		})
	}
}

func (r *rig) silent(s silence.Silence) {
	r.t.Helper()
	if err := r.tap.PutSilence(r.t.Context(), s); err != nil {
		r.t.Fatal(err)
	}
}

// bounce makes the provider report a bounce of every message to a destination.
func (r *rig) bounce(destination string) {
	r.t.Helper()
	x := receipts.Receiver{Ledger: r.tap.store.(receipts.Ledger), Log: slog.New(slog.DiscardHandler), Now: r.clock}
	for _, d := range r.ledger() {
		if d.Destination != destination {
			continue
		}
		err := x.Receive(r.t.Context(), d.ID, "p-1", delivery.Receipt{Fate: delivery.Bounced, Code: "mailbox_full", At: r.now})
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

// TestWhatComesNextIsByThePolicyOfNow: the next reminder and resolve are predicted by
// the configured policy, as in a list, even if nothing was decided by it yet.
func TestWhatComesNextIsByThePolicyOfNow(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.play(v, "FF")
	p := incident.DefaultPolicy()
	p.Cooldown, p.HealthyRequired = 10*time.Minute, 4
	r.setPolicy(p)
	rep := r.explained(r.state().Key, explain.Query{})
	if !rep.State.NextReminder.Equal(minute(10)) || !strings.Contains(rep.Why, "It will resolve after 4 healthy polls in a row.") {
		t.Errorf("the next reminder is due at %v; %s", rep.State.NextReminder, rep.Why)
	}
}
