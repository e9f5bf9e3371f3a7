package notice

import (
	"strconv"
	"strings"
	"time"
)

// clock writes times for a reader in one zone. Every time that a person reads
// goes through it.
type clock struct{ zone *time.Location }

var utc = clock{zone: time.UTC}

// full is a time that will be read on any day: "2 Jan 2026, 12:03 UTC".
func (c clock) full(t time.Time) string { return t.In(c.zone).Format("2 Jan 2006, 15:04 MST") }

// near is a time that is read about the time of ref: the date only if it is
// another one.
func (c clock) near(t, ref time.Time) string {
	t, ref = t.In(c.zone), ref.In(c.zone)
	switch {
	case sameDay(t, ref):
		return t.Format("15:04 MST")
	case t.Year() == ref.Year():
		return t.Format("2 Jan, 15:04 MST")
	default:
		return c.full(t)
	}
}

// span is a period: "2 Jan 2026, 12:03 to 12:20 UTC".
func (c clock) span(from, to time.Time) string {
	from, to = from.In(c.zone), to.In(c.zone)
	if sameDay(from, to) {
		return from.Format("2 Jan 2006, 15:04") + " to " + to.Format("15:04 MST")
	}
	return c.full(from) + " to " + c.full(to)
}

func sameDay(a, b time.Time) bool {
	ay, am, ad := a.Date()
	by, bm, bd := b.Date()
	return ay == by && am == bm && ad == bd
}

// Duration puts a time span into words, cut down to its two largest
// neighbouring units: "16 minutes", "2 hours 5 minutes", "3 days".
func Duration(d time.Duration) string {
	minutes := int(d / time.Minute)
	switch days, hours := minutes/(24*60), minutes/60%24; {
	case days > 0:
		return pair(days, "day", hours, "hour")
	case hours > 0:
		return pair(hours, "hour", minutes%60, "minute")
	case minutes > 0:
		return count(minutes, "minute")
	default:
		return "less than a minute"
	}
}

func pair(a int, unitA string, b int, unitB string) string {
	if b == 0 {
		return count(a, unitA)
	}
	return count(a, unitA) + " " + count(b, unitB)
}

// count is a number with its noun: "1 day", "1,500 days".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(int64(n)) + " " + noun + "s"
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, digit := range s {
		if i > 0 && s[i-1] != '-' && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}
