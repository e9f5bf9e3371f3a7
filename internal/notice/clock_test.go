package notice_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/notice"
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
	if got, want := n.Words().Facts[0].Value, "45 minutes (2 Jan 2026, 23:30 UTC to 3 Jan 2026, 00:15 UTC)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	n.Until = n.Until.Add(-20 * time.Minute)
	if got, want := n.Words().Facts[0].Value, "25 minutes (2 Jan 2026, 23:30 to 23:55 UTC)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
