package explain

import (
	"fmt"
	"strings"
	"time"
)

// words returns a name such as "rate_limited" with spaces.
func words(class string) string { return strings.ReplaceAll(class, "_", " ") }

// list joins texts as "a, b and c".
func list(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// period returns a period as clock times if it is within one day, or else with dates.
func period(from, to time.Time) string {
	from, to = from.UTC(), to.UTC()
	switch {
	case from.Equal(to):
		return from.Format("15:04 UTC")
	case from.Format(time.DateOnly) == to.Format(time.DateOnly):
		return from.Format("15:04") + "–" + to.Format("15:04 UTC")
	default:
		return from.Format("2006-01-02 15:04") + " – " + to.Format("2006-01-02 15:04 UTC")
	}
}

// count returns "1 poll" or "3 polls".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// span returns a period for a table: as period does, without the first date and the
// time zone.
func span(first, last time.Time) string {
	first, last = first.UTC(), last.UTC()
	switch {
	case first.Equal(last):
		return first.Format("15:04")
	case first.Format(time.DateOnly) == last.Format(time.DateOnly):
		return first.Format("15:04") + "–" + last.Format("15:04")
	default:
		return first.Format("15:04") + "–" + last.Format("2 Jan 15:04")
	}
}

// times returns "×3".
func times(n int) string { return fmt.Sprintf("×%d", n) }

// inARow returns "1 poll" or "3 polls in a row".
func inARow(n int, noun string) string {
	if n == 1 {
		return count(n, noun)
	}
	return count(n, noun) + " in a row"
}

// lastOf returns "last poll" or "last 3 polls", to follow "the".
func lastOf(n int, noun string) string {
	if n == 1 {
		return "last " + noun
	}
	return "last " + count(n, noun)
}

// clock returns a time for a table, without the year; "-" if it is zero.
func clock(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2 Jan 15:04")
}

// stamp returns a time to the minute, with its date.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// short returns enough of a hash to tell two apart.
func short(hash string) string { return hash[:min(len(hash), 15)] }
