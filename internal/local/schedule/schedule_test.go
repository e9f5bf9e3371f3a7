package schedule

import (
	"context"
	"maps"
	"testing"
	"testing/synctest"
	"time"
)

func TestParseRate(t *testing.T) {
	for expression, want := range map[string]time.Duration{
		"cron(* * * * ? *)": time.Minute, "rate(1 minute)": time.Minute, "rate(5 minutes)": 5 * time.Minute, "rate(2 hours)": 2 * time.Hour, "rate(1 day)": 24 * time.Hour,
	} {
		if got, err := ParseRate(expression); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", expression, got, err, want)
		}
	}
	for _, expression := range []string{"", "rate(0 minutes)", "rate(1 second)", "cron(0 * * * ? *)", "rate(-1 minute)", "rate(1 minute) "} {
		if _, err := ParseRate(expression); err == nil {
			t.Errorf("%q: no error", expression)
		}
	}
}

func TestEventHoldsTheScheduledTime(t *testing.T) {
	s := Schedule{Input: `{"scheduled_time":"<aws.scheduler.scheduled-time>"}`}
	tick := time.Date(2026, 1, 2, 4, 4, 0, 0, time.FixedZone("CET", 3600))
	if got, want := string(s.Event(tick)), `{"scheduled_time":"2026-01-02T03:04:00Z"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTicksAreOnTheMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(17 * time.Second) // the bubble's clock starts at midnight
		started := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		defer cancel()
		ticks := make(chan time.Duration, 10)
		Schedule{Rate: time.Minute}.Run(ctx, func(ctx context.Context, tick time.Time) {
			if !tick.Equal(time.Now()) {
				t.Errorf("tick %v comes at %v", tick, time.Now())
			}
			<-ctx.Done() // no call ends before the schedule does
			ticks <- tick.Sub(started)
		})
		got := map[time.Duration]bool{}
		for len(ticks) > 0 {
			got[<-ticks] = true
		}
		want := map[time.Duration]bool{43 * time.Second: true, 103 * time.Second: true, 163 * time.Second: true}
		if !maps.Equal(got, want) {
			t.Errorf("ticks after %v, want %v", got, want)
		}
	})
}
