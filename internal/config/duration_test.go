package config

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"30s": 30 * time.Second, "10m": 10 * time.Minute, "12h": 12 * time.Hour, "14d": 14 * day, "2w": 14 * day,
		"1h30m": 90 * time.Minute, "1d12h": 36 * time.Hour, "1.5h": 90 * time.Minute, "250ms": 250 * time.Millisecond,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%q is %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "30", "-5m", "+5m", "0s", "0.0h", "5 m", "m", "1y", "1e3s", "NaNs", "infh", ".s", "1..5h", "99999999999w", "5m ", "５m"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q is read as %v, want an error", text, got)
		}
	}
}

func TestFormatDurationIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := time.Duration(rapid.Int64Range(1, int64(400*day/time.Millisecond)).Draw(t, "ms")) * time.Millisecond
		text := FormatDuration(want)
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Fatalf("%v is written %q and read as %v (%v)", want, text, got, err)
		}
	})
}

func TestFormatDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 90 * time.Second: "1m30s", 14 * day: "14d", 36 * time.Hour: "1d12h", time.Minute: "1m", 5: "5ns",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("%d is written %q, want %q", d, got, want)
		}
	}
}
