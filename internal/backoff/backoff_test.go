package backoff_test

import (
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/backoff"
)

func TestWaitGrowsToItsCap(t *testing.T) {
	s := backoff.Schedule{Base: time.Second, Cap: 10 * time.Second, Floor: 100 * time.Millisecond}
	for _, tc := range []struct {
		tries  int
		jitter float64
		want   time.Duration
	}{
		{tries: 1, jitter: 1, want: time.Second},
		{tries: 2, jitter: 1, want: 2 * time.Second},
		{tries: 4, jitter: 1, want: 8 * time.Second},
		{tries: 5, jitter: 1, want: 10 * time.Second},
		{tries: 5000, jitter: 1, want: 10 * time.Second},
		{tries: 3, jitter: 0.5, want: 2 * time.Second},
		{tries: 3, jitter: 0, want: 100 * time.Millisecond},
		{tries: 0, jitter: 1, want: time.Second},
	} {
		if got := s.Wait(tc.tries, tc.jitter); got != tc.want {
			t.Errorf("Wait(%d, %v) = %v, want %v", tc.tries, tc.jitter, got, tc.want)
		}
	}
}

func TestWaitStaysBetweenFloorAndCap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := backoff.Schedule{
			Base:  time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "base")),
			Cap:   time.Duration(rapid.Int64Range(1, int64(24*time.Hour)).Draw(t, "cap")),
			Floor: time.Millisecond,
		}
		got := s.Wait(rapid.IntRange(-1, 10_000).Draw(t, "tries"), rapid.Float64().Draw(t, "jitter"))
		if got < s.Floor || got > max(s.Cap, s.Floor) {
			t.Fatalf("wait %v is outside %v to %v", got, s.Floor, s.Cap)
		}
	})
}

func TestRetryAfterIsACappedFloor(t *testing.T) {
	for _, tc := range []struct{ wait, asked, limit, want time.Duration }{
		{time.Second, 30 * time.Second, time.Hour, 30 * time.Second},
		{time.Minute, 30 * time.Second, time.Hour, time.Minute},
		{time.Second, 48 * time.Hour, time.Hour, time.Hour},
		{time.Second, 0, time.Hour, time.Second},
	} {
		if got := backoff.WithRetryAfter(tc.wait, tc.asked, tc.limit); got != tc.want {
			t.Errorf("WithRetryAfter(%v, %v, %v) = %v, want %v", tc.wait, tc.asked, tc.limit, got, tc.want)
		}
	}
}

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		value string
		want  time.Duration
		ok    bool
	}{
		{"30", 30 * time.Second, true},
		{" 1.5 ", 1500 * time.Millisecond, true},
		{"0", 0, true},
		{"-5", 0, true},
		{now.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second, true},
		{now.Add(-time.Hour).Format(http.TimeFormat), 0, true},
		{"", 0, false},
		{"soon", 0, false},
		{"NaN", 0, false},
		{"+Inf", 1e9 * time.Second, true},
		{"1e300", 1e9 * time.Second, true},
		{"99999999999", 1e9 * time.Second, true},
		{"-Inf", 0, true},
	} {
		got, ok := backoff.RetryAfter(tc.value, now)
		if got != tc.want || ok != tc.ok {
			t.Errorf("RetryAfter(%q) = %v, %v; want %v, %v", tc.value, got, ok, tc.want, tc.ok)
		}
	}
}

func FuzzRetryAfterIsNeverNegative(f *testing.F) {
	f.Add("30")
	f.Add("-1e18")
	f.Add("Mon, 02 Jan 2006 15:04:05 GMT")
	f.Fuzz(func(t *testing.T, value string) {
		got, ok := backoff.RetryAfter(value, time.Unix(0, 0))
		if got < 0 || (!ok && got != 0) {
			t.Fatalf("RetryAfter(%q) = %v, %v", value, got, ok)
		}
	})
}
