package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

var units = map[string]time.Duration{
	"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": day, "w": week,
}

var errDuration = errors.New("want a number with a unit, such as 30s, 10m, 12h, 14d or 2w")

// ParseDuration parses a positive duration in Go's syntax, with days (d, 24 hours)
// and weeks (w) as well: 30s, 1h30m, 14d. Its errors do not repeat the text.
func ParseDuration(text string) (time.Duration, error) {
	total := 0.0
	if text == "" {
		return 0, errDuration
	}
	for rest := text; rest != ""; {
		number := leading(rest, "0123456789.")
		unit := leading(rest[len(number):], "abcdefghijklmnopqrstuvwxyz")
		size, known := units[unit]
		n, err := strconv.ParseFloat(number, 64)
		if err != nil || !known {
			return 0, errDuration
		}
		total += n * float64(size)
		rest = rest[len(number)+len(unit):]
	}
	if total < 1 || total > math.MaxInt64/2 {
		return 0, fmt.Errorf("out of range: %w", errDuration)
	}
	return time.Duration(math.Round(total)), nil
}

func leading(s, set string) string {
	return s[:len(s)-len(strings.TrimLeft(s, set))]
}

// FormatDuration formats a duration as ParseDuration parses it, in the largest units
// that fit: 14d, 1h30m. Zero and negative durations are 0s.
func FormatDuration(d time.Duration) string {
	if d <= 0 {
		return "0s"
	}
	var b strings.Builder
	for _, unit := range []string{"d", "h", "m", "s", "ms"} {
		if n := d / units[unit]; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, unit)
			d -= n * units[unit]
		}
	}
	if b.Len() == 0 {
		return d.String()
	}
	return b.String()
}
