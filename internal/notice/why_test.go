package notice_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

func at(t *testing.T, s string) time.Time {
	t.Helper()
	v, err := time.Parse("2006-01-02 15:04", s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestWhy(t *testing.T) {
	tick := at(t, "2026-01-02 12:03")
	open := incident.State{Open: true, StreakStart: tick, LastNotified: tick}
	policy := incident.DefaultPolicy()
	limited := policy
	limited.MaxReminders = 3
	var silent incident.Policy
	late, reminded := open, open
	late.LastNotified = at(t, "2026-01-02 23:50")
	reminded.Reminders, reminded.StreakStart = 3, tick.Add(-125*time.Minute)
	closed := incident.State{}

	for _, x := range []struct {
		reason incident.Reason
		state  incident.State
		policy incident.Policy
		want   string
	}{
		{incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1}, open, policy, "opened after 1 failing poll; next reminder 12:33 UTC"},
		{incident.Reason{Code: incident.FailingStreakReached, N: 3, Of: 3}, late, policy, "opened after 3 failing polls in a row; next reminder 3 Jan, 00:20 UTC"},
		{incident.Reason{Code: incident.FailingStreakReached, N: 1, Of: 1}, open, silent, "opened after 1 failing poll; no reminders will follow"},
		{incident.Reason{Code: incident.Reopened, N: 1, At: tick.Add(-4 * time.Minute)}, open, policy, "failing again 4 minutes after it was resolved; next reminder 12:33 UTC"},
		{incident.Reason{Code: incident.Flapping, N: 4, Window: time.Hour}, open, policy, "opened 4 times within 1 hour, so it is flapping; nothing more until it is stable"},
		{incident.Reason{Code: incident.CooldownElapsed, N: 3}, reminded, policy, "still failing after 2 hours 5 minutes; reminder 3; next reminder 12:33 UTC"},
		{incident.Reason{Code: incident.CooldownElapsed, N: 3}, reminded, limited, "still failing after 2 hours 5 minutes; reminder 3; the last one, the limit is 3 reminders"},
		{incident.Reason{Code: incident.Recovered, N: 1, Of: 1}, closed, policy, "resolved after 1 healthy poll"},
		{incident.Reason{Code: incident.Recovered, N: 2, Of: 2}, closed, policy, "resolved after 2 healthy polls in a row"},
		{incident.Reason{Code: incident.NoLongerReported, N: 1, Of: 1}, closed, policy, "no longer reported by a complete listing"},
		{incident.Reason{Code: incident.NoLongerReported, N: 2, Of: 2}, closed, policy, "no longer reported by a complete listing; 2 polls in a row without a failure"},
		{incident.Reason{Code: incident.NoLongerSeen, N: 1, Of: 1}, closed, policy, "the source still lists it, but has not seen it fail for longer than failing_within; 1 such poll"},
		{incident.Reason{Code: incident.NoLongerSeen, N: 2, Of: 2}, closed, policy, "the source still lists it, but has not seen it fail for longer than failing_within; 2 such polls in a row"},
		{incident.Reason{Code: incident.Lapsed, At: tick.Add(-time.Hour)}, closed, policy, "no longer reported: its sources answered, and none has named it for 1 hour"},
		{incident.Reason{Code: incident.BelowThreshold, N: 1, Of: 3}, closed, policy, "failing, but only 1 of the 3 polls in a row that open an incident"},
		{incident.Reason{Code: incident.CooldownActive, At: tick.Add(time.Hour)}, open, policy, "open already; next reminder 13:03 UTC"},
		{incident.Reason{Code: incident.MaxReminders, N: 1, Of: 1}, open, policy, "open already; the limit of 1 reminder is reached"},
		{incident.Reason{Code: incident.OtherSourceFailing, Source: "datadog"}, open, policy, "healthy here, but source datadog still reports a failure"},
	} {
		if got := notice.Why(x.reason, x.state, x.policy, tick); got != x.want {
			t.Errorf("%s: %q, want %q", x.reason, got, x.want)
		}
	}
}

// Every reason code has its own words.
func TestEveryReasonHasWords(t *testing.T) {
	seen := map[string]incident.Code{}
	for _, doc := range incident.Codes() {
		r := incident.Reason{Code: doc.Code, N: 1, Of: 2, Source: "x"}
		got := notice.Why(r, incident.State{}, incident.Policy{}, time.Time{})
		if got == r.String() || got == "" {
			t.Errorf("%s has no words: %q", doc.Code, got)
		}
		if other, twice := seen[got]; twice {
			t.Errorf("%s and %s have the same words: %q", doc.Code, other, got)
		}
		seen[got] = doc.Code
	}
}
