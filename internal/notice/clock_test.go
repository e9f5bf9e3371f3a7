package notice_test

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

func TestDuration(t *testing.T) {
	for _, x := range []struct {
		d    time.Duration
		want string
	}{
		{-time.Hour, "less than a minute"},
		{0, "less than a minute"},
		{59 * time.Second, "less than a minute"},
		{time.Minute, "1 minute"},
		{16*time.Minute + 59*time.Second, "16 minutes"},
		{time.Hour, "1 hour"},
		{125 * time.Minute, "2 hours 5 minutes"},
		{61 * time.Minute, "1 hour 1 minute"},
		{24*time.Hour - 1, "23 hours 59 minutes"},
		{24 * time.Hour, "1 day"},
		{49 * time.Hour, "2 days 1 hour"},
		{72*time.Hour + 59*time.Minute, "3 days"},
		{1500 * 24 * time.Hour, "1,500 days"},
	} {
		if got := notice.Duration(x.d); got != x.want {
			t.Errorf("%v: %q, want %q", x.d, got, x.want)
		}
	}
}

// Times are UTC and say so, whatever zone the value came in.
func TestTimesAreToldInUTC(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	n := notice.Notice{
		Action: "resolve", Since: time.Date(2026, 1, 3, 0, 30, 0, 0, berlin), Until: time.Date(2026, 1, 3, 1, 15, 0, 0, berlin),
	}
	if got, want := n.Words().Facts[0].Value, "45 minutes: 2 Jan 2026, 23:30 UTC to 3 Jan 2026, 00:15 UTC"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	n.Until = n.Until.Add(-20 * time.Minute)
	if got, want := n.Words().Facts[0].Value, "25 minutes: 2 Jan 2026, 23:30 to 23:55 UTC"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// An owner's messages show local times with UTC beside them, also over a clock change, and
// with the date if it differs.
func TestTimesAreToldInTheOwnersZone(t *testing.T) {
	for _, x := range []struct {
		zone, since, until, want string
	}{
		{"Europe/Berlin", "2026-01-02 12:03", "2026-01-02 12:20", "2 Jan 2026, 13:03 to 13:20 CET (12:03 to 12:20 UTC)"},
		{"Europe/Berlin", "2026-01-02 23:03", "2026-01-02 23:20", "3 Jan 2026, 00:03 to 00:20 CET (2 Jan, 23:03 to 23:20 UTC)"},
		{"Europe/Berlin", "2026-01-02 22:30", "2026-01-02 23:20", "2 Jan 2026, 23:30 CET (22:30 UTC) to 3 Jan 2026, 00:20 CET (2 Jan, 23:20 UTC)"},
		{"Europe/Berlin", "2026-03-29 00:30", "2026-03-29 01:30", "29 Mar 2026, 01:30 CET (00:30 UTC) to 29 Mar 2026, 03:30 CEST (01:30 UTC)"},
		{"Europe/Berlin", "2026-10-25 00:30", "2026-10-25 01:30", "25 Oct 2026, 02:30 CEST (00:30 UTC) to 25 Oct 2026, 02:30 CET (01:30 UTC)"},
		{"Asia/Kathmandu", "2026-01-02 12:03", "2026-01-02 12:20", "2 Jan 2026, 17:48 to 18:05 +0545 (12:03 to 12:20 UTC)"},
		{"Europe/London", "2026-01-02 12:03", "2026-01-02 12:20", "2 Jan 2026, 12:03 to 12:20 UTC"},
		{"Europe/London", "2026-07-02 12:03", "2026-07-02 12:20", "2 Jul 2026, 13:03 to 13:20 BST (12:03 to 12:20 UTC)"},
		{"Nowhere/At_All", "2026-01-02 12:03", "2026-01-02 12:20", "2 Jan 2026, 12:03 to 12:20 UTC"},
		{"", "2026-01-02 12:03", "2026-01-02 12:20", "2 Jan 2026, 12:03 to 12:20 UTC"},
	} {
		n := notice.Notice{Action: "resolve", Zone: x.zone, Since: at(t, x.since), Until: at(t, x.until)}
		if got := n.Words().Facts[0].Value; !strings.HasSuffix(got, ": "+x.want) {
			t.Errorf("%s: %q, want %q", x.zone, got, x.want)
		}
	}
}

// Times in the frozen words are local too.
func TestWhyIsToldInTheOwnersZone(t *testing.T) {
	tick := at(t, "2026-01-02 22:53")
	in := notice.Input{
		State: incident.State{Open: true, StreakStart: tick, LastNotified: tick}, Observation: observation.Observation{Tick: tick},
		Action: incident.Open, Policy: incident.DefaultPolicy(), Zone: "Europe/Berlin",
		Reason: incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1},
	}
	n := notice.New(in)
	if want := "opened after 1 failing poll; next reminder 3 Jan, 00:23 CET (2 Jan, 23:23 UTC)"; n.Why != want {
		t.Errorf("%q, want %q", n.Why, want)
	}
	over := n
	over.Action, over.Until = incident.Resolve, tick.Add(20*time.Minute)
	if d := notice.Digest("d1-x", []notice.Notice{n, over}); !strings.Contains(d.Summary, "since 23:53 CET (22:53 UTC)") {
		t.Errorf("a digest says %q", d.Summary)
	}
	n.DecidedAt = tick
	if w := n.Words(); !strings.Contains(w.Why, "when it was decided, 2 Jan 2026, 23:53 CET (22:53 UTC)") {
		t.Errorf("a late message says %q", w.Why)
	}
}

// Every kind of message has its own mark and first words.
func TestOneGlanceTells(t *testing.T) {
	for _, x := range []struct {
		action         incident.Action
		kind           string
		mark, headline string
	}{
		{incident.Open, "error", "🔴", "FAILING in production"},
		{incident.Remind, "error", "🟠", "STILL FAILING in production"},
		{incident.Resolve, "error", "🟢", "RESOLVED in production"},
		{incident.SilenceEnded, "error", "🟠", "STILL FAILING, NO LONGER SILENCED in production"},
		{incident.Open, "overflow", "🟣", "OVERFLOW: TOO MANY NEW FAILURES in production"},
		{incident.Remind, "overflow", "🟣", "OVERFLOW GOES ON in production"},
		{incident.Resolve, "overflow", "🟢", "OVERFLOW IS OVER in production"},
	} {
		n := notice.Notice{Action: x.action, Kind: x.kind, Environment: "production"}
		if w := n.Words(); w.Mark != x.mark || w.Headline != x.headline {
			t.Errorf("%s of %s: %s %q, want %s %q", x.action, x.kind, w.Mark, w.Headline, x.mark, x.headline)
		}
	}
}
