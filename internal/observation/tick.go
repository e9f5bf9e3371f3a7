package observation

import (
	"fmt"
	"time"
)

// Tick returns the scheduled time of a poll, rounded down to a multiple of the source's
// interval since the Unix epoch, in UTC. Two invocations for the same scheduled time
// share a tick, however late they run. If the interval is less than a second, Tick rounds
// down to the second.
func Tick(scheduled time.Time, interval time.Duration) time.Time {
	sec := scheduled.Unix()
	step := int64(interval / time.Second)
	if step <= 0 {
		return time.Unix(sec, 0).UTC()
	}
	rest := sec % step
	if rest < 0 {
		rest += step
	}
	return time.Unix(sec-rest, 0).UTC()
}

const tickLayout = "2006-01-02T15:04:05Z"

// FormatTick renders a tick with a fixed width, so that text order is time order.
func FormatTick(t time.Time) string { return t.UTC().Format(tickLayout) }

// ParseTick parses the output of FormatTick.
func ParseTick(s string) (time.Time, error) {
	t, err := time.Parse(tickLayout, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("tick %q: want the form %s: %w", s, tickLayout, err)
	}
	return t.UTC(), nil
}
