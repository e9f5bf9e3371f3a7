package replay

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// undefined is shown for a score without a value.
const undefined = "–"

// short formats a duration for people: 45s, 12m, 1h30m, 3d4h.
func short(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return two(d, time.Minute, "m", time.Second, "s")
	case d < 24*time.Hour:
		return two(d, time.Hour, "h", time.Minute, "m")
	default:
		return two(d, 24*time.Hour, "d", time.Hour, "h")
	}
}

func two(d, unit time.Duration, name string, sub time.Duration, subname string) string {
	d = d.Round(sub)
	text := fmt.Sprintf("%d%s", d/unit, name)
	if rest := d % unit / sub; rest > 0 {
		text += fmt.Sprintf("%d%s", rest, subname)
	}
	return text
}

// show formats a score's value.
func (s Score) show(v *float64) string {
	switch {
	case v == nil:
		return undefined
	case s.Time:
		return short(seconds(*v))
	default:
		return thousands(int64(*v))
	}
}

// thousands groups digits: 43,200.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, c := range text {
		if i > 0 && (len(text)-i)%3 == 0 && text[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func (rep *Report) showCost(v float64) string {
	digits := 2
	if v > 0 && v < 10 {
		digits = 4
	}
	return strconv.FormatFloat(v, 'f', digits, 64) + " " + rep.Currency
}

func plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + one + "s"
}
