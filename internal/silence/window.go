package silence

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Window is a recurring period of the week in local time.
type Window struct {
	// Days are the days on which the window opens; none means every day.
	Days []time.Weekday
	// From is inclusive and To exclusive. A To that is not after From is on the next
	// day.
	From Clock
	To   Clock
}

// Clock is a time of day in minutes since midnight. 24:00 is the end of a day.
type Clock int

// FullDay is 24:00.
const FullDay Clock = 24 * 60

// ParseClock parses hh:mm, from 00:00 to 24:00.
func ParseClock(text string) (Clock, error) {
	if text == FullDay.String() {
		return FullDay, nil
	}
	t, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("07:00") {
		return 0, fmt.Errorf("%q is no time of day: write it as 07:00 or 22:30, up to 24:00", text)
	}
	return Clock(t.Hour()*60 + t.Minute()), nil
}

func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60) }

// String formats a window: "mon,tue 22:00-07:00".
func (w Window) String() string {
	days := make([]string, 0, len(w.Days))
	for _, d := range w.Days {
		days = append(days, DayName(d))
	}
	if len(days) == 0 {
		days = []string{"daily"}
	}
	return strings.Join(days, ",") + " " + w.From.String() + "-" + w.To.String()
}

// Days are the names of the days of the week, from Monday.
var Days = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// DayName returns the name of a day in Days.
func DayName(d time.Weekday) string { return Days[(int(d)+6)%7] }

// ParseDay parses one of Days.
func ParseDay(text string) (time.Weekday, error) {
	i := slices.Index(Days, strings.ToLower(text))
	if i < 0 {
		return 0, fmt.Errorf("%q is no day: write one of %s", text, strings.Join(Days, ", "))
	}
	return time.Weekday((i + 1) % 7), nil
}

// ParseWindow parses the output of String, "mon,tue 22:00-07:00". The days are optional.
func ParseWindow(text string) (Window, error) {
	var w Window
	days, times, ok := strings.Cut(text, " ")
	if !ok {
		days, times = "daily", text
	}
	if days != "daily" {
		for name := range strings.SplitSeq(days, ",") {
			d, err := ParseDay(name)
			if err != nil {
				return w, err
			}
			w.Days = append(w.Days, d)
		}
	}
	from, to, ok := strings.Cut(times, "-")
	if !ok {
		return w, fmt.Errorf("%q is no window: write it as \"mon,tue 22:00-07:00\" or \"22:00-07:00\"", text)
	}
	var errs [2]error
	w.From, errs[0] = ParseClock(from)
	w.To, errs[1] = ParseClock(to)
	return w, errors.Join(errs[:]...)
}

// holds reports whether the window is open at a time, and when it closes.
func (w Window) holds(at time.Time, zone *time.Location) (closes time.Time, open bool) {
	local := at.In(zone)
	// An open window opened today or yesterday. The day arithmetic is in UTC, where
	// every day has 24 hours.
	today := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	for _, day := range []time.Time{today, today.AddDate(0, 0, -1)} {
		if len(w.Days) > 0 && !slices.Contains(w.Days, day.Weekday()) {
			continue
		}
		opens, ends := w.on(day, zone)
		if !at.Before(opens) && at.Before(ends) {
			closes, open = later(closes, ends), true
		}
	}
	return closes, open
}

// on returns the bounds of the window that opens on a day. A boundary in an hour that a
// clock change repeats names two moments: the window opens at the first and ends at the
// second, so it covers both. A boundary in a skipped hour is the moment of the change.
func (w Window) on(day time.Time, zone *time.Location) (opens, ends time.Time) {
	opens, _ = moments(day.Add(w.From.duration()), zone)
	if w.To <= w.From {
		day = day.AddDate(0, 0, 1)
	}
	_, ends = moments(day.Add(w.To.duration()), zone)
	return opens, ends
}

func (c Clock) duration() time.Duration { return time.Duration(c) * time.Minute }
