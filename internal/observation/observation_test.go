package observation_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/observation"
)

func TestTickIsTheScheduledTimeCutToTheInterval(t *testing.T) {
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, tc := range []struct {
		scheduled string
		interval  time.Duration
		want      string
	}{
		{"2026-03-01T12:03:59.999Z", time.Minute, "2026-03-01T12:03:00Z"},
		{"2026-03-01T12:03:00Z", time.Minute, "2026-03-01T12:03:00Z"},
		{"2026-03-01T14:03:10+02:00", time.Minute, "2026-03-01T12:03:00Z"},
		{"2026-03-01T12:04:00Z", 5 * time.Minute, "2026-03-01T12:00:00Z"},
		{"2026-03-01T12:04:10.5Z", 0, "2026-03-01T12:04:10Z"},
		{"1969-12-31T23:59:30Z", time.Minute, "1969-12-31T23:59:00Z"},
	} {
		got := observation.FormatTick(observation.Tick(at(tc.scheduled), tc.interval))
		if got != tc.want {
			t.Errorf("Tick(%s, %v) = %s, want %s", tc.scheduled, tc.interval, got, tc.want)
		}
	}
}

func TestTicksSortAsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) time.Time {
			return observation.Tick(time.Unix(rapid.Int64Range(0, 4e9).Draw(t, name), 0), time.Minute)
		}
		a, b := draw("a"), draw("b")
		if a.Before(b) != (observation.FormatTick(a) < observation.FormatTick(b)) {
			t.Fatalf("%v and %v sort differently as text", a, b)
		}
		back, err := observation.ParseTick(observation.FormatTick(a))
		if err != nil || !back.Equal(a) {
			t.Fatalf("tick %v came back as %v, %v", a, back, err)
		}
	})
}

func TestParseVerdict(t *testing.T) {
	for _, v := range []observation.Verdict{observation.Failing, observation.Healthy, observation.Unknown} {
		if got, err := observation.ParseVerdict(string(v)); got != v || err != nil {
			t.Errorf("ParseVerdict(%q) = %q, %v", v, got, err)
		}
	}
	for _, bad := range []string{"", "Failing", "ok"} {
		if _, err := observation.ParseVerdict(bad); err == nil {
			t.Errorf("ParseVerdict(%q) was accepted", bad)
		}
	}
}

func TestObservationIDKeepsTwoSourcesApart(t *testing.T) {
	tick := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := observation.Observation{Tick: tick, Source: "a"}
	b := observation.Observation{Tick: tick, Source: "b"}
	if a.ID() == b.ID() || a.ID() != "2026-03-01T12:00:00Z#a" {
		t.Errorf("ids %q and %q", a.ID(), b.ID())
	}
}
