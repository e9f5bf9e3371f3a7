package notice

import (
	"strconv"
	"strings"
	"sync"
	"time"
)

// clock formats times for a reader in one zone, along with UTC, which logs and vendors
// use. All times in messages are formatted by it.
type clock struct{ zone *time.Location }

var (
	utc = clock{zone: time.UTC}
	// zones caches the loaded time zones, each of which is a file.
	zones sync.Map
)

// clockIn returns the clock of an IANA time zone, or that of UTC if the zone is unknown:
// a message with times in UTC is better than none. It needs the time zone database of
// the system or of the package time/tzdata.
func clockIn(name string) clock {
	if name == "" || name == "UTC" {
		return utc
	}
	if c, ok := zones.Load(name); ok {
		return c.(clock)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return utc
	}
	zones.Store(name, clock{zone})
	return clock{zone}
}

// clock returns the clock of the notice's reader.
func (n Notice) clock() clock { return clockIn(n.Zone) }

const (
	dayForm  = "2 Jan 2006, 15:04"
	yearless = "2 Jan, 15:04"
	hourForm = "15:04"
)

// full formats a time with its date: "2 Jan 2026, 12:03 UTC", or
// "2 Jan 2026, 13:03 CET (12:03 UTC)".
func (c clock) full(t time.Time) string { return c.in(t, dayForm) }

// near formats a time relative to ref: with the date only if it differs from ref's.
func (c clock) near(t, ref time.Time) string {
	a, b := t.In(c.zone), ref.In(c.zone)
	switch {
	case sameDay(a, b):
		return c.in(t, hourForm)
	case a.Year() == b.Year():
		return c.in(t, yearless)
	default:
		return c.full(t)
	}
}

// in formats a time in the zone, and also in UTC if that differs.
func (c clock) in(t time.Time, form string) string {
	local := t.In(c.zone)
	if plainUTC(local) {
		return t.UTC().Format(form + " MST")
	}
	return local.Format(form+" MST") + " (" + asUTC(t.UTC(), local) + ")"
}

// asUTC formats a time in UTC, with its date only if it differs from beside's.
func asUTC(t, beside time.Time) string {
	if sameDay(t, beside) {
		return t.Format(hourForm + " MST")
	}
	return t.Format(yearless + " MST")
}

// span formats a period: "2 Jan 2026, 12:03 to 12:20 UTC".
func (c clock) span(from, to time.Time) string {
	a, b := from.In(c.zone), to.In(c.zone)
	switch {
	case !sameDay(a, b) || a.Format("MST") != b.Format("MST"):
		return c.full(from) + " to " + c.full(to)
	case plainUTC(a):
		return from.UTC().Format(dayForm) + " to " + to.UTC().Format(hourForm+" MST")
	}
	begin := hourForm
	if !sameDay(from.UTC(), a) {
		begin = yearless
	}
	return a.Format(dayForm) + " to " + b.Format(hourForm+" MST") +
		" (" + from.UTC().Format(begin) + " to " + asUTC(to.UTC(), from.UTC()) + ")"
}

// plainUTC reports whether a time's zone has no offset from UTC.
func plainUTC(t time.Time) bool {
	_, offset := t.Zone()
	return offset == 0
}

func sameDay(a, b time.Time) bool {
	ay, am, ad := a.Date()
	by, bm, bd := b.Date()
	return ay == by && am == bm && ad == bd
}

// Duration formats a duration in words, rounded down to its two largest adjacent units:
// "16 minutes", "2 hours 5 minutes", "3 days".
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

// count formats a number with its noun: "1 day", "1,500 days".
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
