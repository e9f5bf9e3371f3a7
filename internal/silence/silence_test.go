package silence_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/silence"
)

func utc(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func clock(text string) silence.Clock {
	c, err := silence.ParseClock(text)
	if err != nil {
		panic(err)
	}
	return c
}

func weekly(zone, from, to string, days ...time.Weekday) silence.Silence {
	return silence.Silence{ID: "w", Zone: zone, Windows: []silence.Window{{Days: days, From: clock(from), To: clock(to)}}}
}

// A window at night lasts as long as the night does in local time: eight hours when the
// clocks are put forward (2026-03-29), ten when they are put back (2026-10-25), nine
// otherwise.
func TestAWindowOverBothChangesOfTheClocks(t *testing.T) {
	night := weekly("Europe/Berlin", "22:00", "07:00")
	for _, c := range []struct{ opens, closes string }{
		{"2026-03-27 21:00", "2026-03-28 06:00"},
		{"2026-03-28 21:00", "2026-03-29 05:00"},
		{"2026-03-29 20:00", "2026-03-30 05:00"},
		{"2026-10-24 20:00", "2026-10-25 06:00"},
		{"2026-10-25 21:00", "2026-10-26 06:00"},
	} {
		opens, closes := utc(c.opens), utc(c.closes)
		for _, at := range []struct {
			time  time.Time
			holds bool
		}{{opens.Add(-time.Second), false}, {opens, true}, {closes.Add(-time.Second), true}, {closes, false}} {
			until, holds := night.Holds(at.time)
			if holds != at.holds || (holds && !until.Equal(closes)) {
				t.Errorf("at %v: holds %v until %v; want %v until %v", at.time, holds, until, at.holds, closes)
			}
		}
	}
}

// A boundary in a skipped hour is the moment of the change. In a repeated hour a window
// opens at the first reading and ends at the second.
func TestBoundariesInTheHoursOfTheChange(t *testing.T) {
	for _, c := range []struct {
		name, zone, from, to string
		opens, closes        string
	}{
		{"begins in the gap", "Europe/Berlin", "02:30", "05:00", "2026-03-29 01:00", "2026-03-29 03:00"},
		{"ends in the gap", "Europe/Berlin", "01:00", "02:30", "2026-03-29 00:00", "2026-03-29 01:00"},
		{"begins at the gap", "Europe/Berlin", "02:00", "05:00", "2026-03-29 01:00", "2026-03-29 03:00"},
		{"ends after the gap", "Europe/Berlin", "01:00", "03:00", "2026-03-29 00:00", "2026-03-29 01:00"},
		{"begins in the repeated hour", "Europe/Berlin", "02:30", "05:00", "2026-10-25 00:30", "2026-10-25 04:00"},
		{"ends in the repeated hour", "Europe/Berlin", "01:00", "02:30", "2026-10-24 23:00", "2026-10-25 01:30"},
		{"inside of the repeated hour", "Europe/Berlin", "02:15", "02:45", "2026-10-25 00:15", "2026-10-25 01:45"},
		{"west of Greenwich, gap", "America/New_York", "02:30", "05:00", "2026-03-08 07:00", "2026-03-08 09:00"},
		{"west of Greenwich, repeated", "America/New_York", "01:30", "05:00", "2026-11-01 05:30", "2026-11-01 10:00"},
		{"half an hour of change", "Australia/Lord_Howe", "02:15", "05:00", "2026-10-03 15:30", "2026-10-03 18:00"},
	} {
		s := weekly(c.zone, c.from, c.to)
		opens, closes := utc(c.opens), utc(c.closes)
		_, before := s.Holds(opens.Add(-time.Minute))
		until, first := s.Holds(opens)
		_, last := s.Holds(closes.Add(-time.Minute))
		_, after := s.Holds(closes)
		if before || !first || !last || after || !until.Equal(closes) {
			t.Errorf("%s: before %v, first %v, last %v, after %v, until %v", c.name, before, first, last, after, until)
		}
	}
	// A window that lies entirely in the gap is never open.
	if _, holds := weekly("Europe/Berlin", "02:10", "02:50").Holds(utc("2026-03-29 01:00")); holds {
		t.Error("a window that is skipped holds")
	}
}

func TestDaysAreThoseThatAWindowBeginsOn(t *testing.T) {
	s := weekly("Europe/Berlin", "22:00", "07:00", time.Friday)
	for at, want := range map[string]bool{
		"2026-06-05 19:59": false, "2026-06-05 20:00": true, // Friday, 22:00
		"2026-06-06 04:59": true, "2026-06-06 05:00": false, "2026-06-06 20:30": false, "2026-06-05 02:00": false,
	} {
		if _, holds := s.Holds(utc(at)); holds != want {
			t.Errorf("at %s: %v", at, holds)
		}
	}
	// A window from a time to the same time is a whole day, and so is 00:00 to 24:00.
	for _, whole := range []silence.Silence{weekly("UTC", "06:00", "06:00", time.Monday), weekly("UTC", "00:00", "24:00", time.Monday)} {
		_, holds := whole.Holds(utc("2026-06-08 23:59"))
		if _, next := whole.Holds(utc("2026-06-09 06:00")); !holds || next {
			t.Errorf("%v: %v, the next day %v", whole.Windows, holds, next)
		}
	}
}

func TestBounds(t *testing.T) {
	s := silence.Silence{From: utc("2026-06-01 10:00"), Until: utc("2026-06-01 12:00")}
	for at, want := range map[string]bool{"2026-06-01 09:59": false, "2026-06-01 10:00": true, "2026-06-01 11:59": true, "2026-06-01 12:00": false} {
		if _, holds := s.Holds(utc(at)); holds != want {
			t.Errorf("at %s: %v", at, holds)
		}
	}
	s.EndedAt = utc("2026-06-01 11:00")
	if _, holds := s.Holds(utc("2026-06-01 11:00")); holds || !s.Over(utc("2026-06-01 11:00")) {
		t.Error("holds after it was ended")
	}
	night := weekly("UTC", "22:00", "07:00")
	night.Until = utc("2026-06-02 03:00")
	if until, holds := night.Holds(utc("2026-06-02 01:00")); !holds || !until.Equal(night.Until) {
		t.Errorf("a window that outlasts its silence ends at %v (%v)", until, holds)
	}
	nowhere := weekly("Nowhere/AtAll", "00:00", "24:00")
	if _, holds := nowhere.Holds(utc("2026-06-02 01:00")); holds {
		t.Error("holds by a clock that nobody knows")
	}
}

func TestKeeps(t *testing.T) {
	at := utc("2026-06-01 11:00")
	all := silence.Set{
		{ID: "key", Match: silence.Match{Key: "k1/error/*/issue=4*"}, Until: at.Add(time.Hour)},
		{ID: "longer", Match: silence.Match{Key: "*issue=42", Owner: "shop"}, Until: at.Add(2 * time.Hour)},
		{ID: "over", Match: silence.Match{Key: "*"}, Until: at},
		{ID: "mail", Match: silence.Match{Destination: "mail"}, Until: at.Add(time.Hour)},
		{ID: "a", Match: silence.Match{Source: "a"}, Until: at.Add(time.Hour)},
		{ID: "b", Match: silence.Match{Source: "b", Owner: "shop"}, Until: at.Add(2 * time.Hour)},
	}
	for _, c := range []struct {
		target silence.Target
		want   string
	}{
		{silence.Target{Key: "k1/error/org=x/issue=41", Owner: "o", Sources: []string{"x"}, Destination: "slack"}, "key"},
		{silence.Target{Key: "k1/error/org=x/issue=42", Owner: "shop", Sources: []string{"x"}, Destination: "slack"}, "longer"},
		{silence.Target{Key: "k1/error/org=x/issue=52", Owner: "shop", Sources: []string{"x"}, Destination: "slack"}, ""},
		{silence.Target{Key: "k", Owner: "o", Sources: []string{"x"}, Destination: "mail"}, "mail"},
		{silence.Target{Key: "k", Owner: "shop", Sources: []string{"a"}, Destination: "slack"}, "a"},
		{silence.Target{Key: "k", Owner: "shop", Sources: []string{"a", "b"}, Destination: "slack"}, "b"},
		{silence.Target{Key: "k", Owner: "shop", Sources: []string{"a", "c"}, Destination: "slack"}, ""},
		{silence.Target{Key: "k", Owner: "o", Sources: []string{"b"}, Destination: "slack"}, ""},
	} {
		s, kept := all.Keeps(c.target, at)
		if s.ID != c.want || kept != (c.want != "") {
			t.Errorf("%+v: kept by %q, want %q", c.target, s.ID, c.want)
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "x", true},
		{"x", "x", true},
		{"x", "xy", false},
		{"*", "", true},
		{"x*", "x", true},
		{"x*y", "xy", true},
		{"x*y", "x", false},
		{"ab*ba", "aba", false},
		{"*a*b*", "xaxbx", true},
		{"*a*b*", "xbxax", false},
		{"x**y", "x1y", true},
	} {
		s := silence.Set{{ID: "s", Match: silence.Match{Key: c.pattern, Owner: "o"}, Until: utc("2027-01-01 00:00")}}
		_, kept := s.Keeps(silence.Target{Key: c.text, Owner: "o", Sources: []string{"v"}}, utc("2026-01-01 00:00"))
		if kept != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.text, kept)
		}
	}
}

// In every zone a window is open exactly when the local time lies within it, except in
// the hours of a clock change.
func TestAWindowFollowsTheClockOnTheWall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns"}).Draw(t, "zone")
		zone, err := silence.Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		from, to := rapid.IntRange(0, 1439).Draw(t, "from"), rapid.IntRange(0, 1440).Draw(t, "to")
		day := time.Weekday(rapid.IntRange(0, 6).Draw(t, "day"))
		s := silence.Silence{Zone: name, Windows: []silence.Window{{Days: []time.Weekday{day}, From: silence.Clock(from), To: silence.Clock(to)}}}
		at := utc("2026-01-01 00:00").Add(time.Duration(rapid.IntRange(0, 2*365*24*60).Draw(t, "minute")) * time.Minute)
		near := func(d time.Duration) int { _, o := at.Add(d).In(zone).Zone(); return o }
		if near(-50*time.Hour) != near(50*time.Hour) {
			t.Skip("a change of the clocks is near")
		}
		local := at.In(zone)
		m, today, yesterday := local.Hour()*60+local.Minute(), local.Weekday() == day, (local.Weekday()+6)%7 == day
		want := today && m >= from && (m < to || to <= from)
		if to <= from {
			want = want || yesterday && m < to
		}
		if _, holds := s.Holds(at); holds != want {
			t.Fatalf("%v at %v: holds %v, want %v", s.Windows, local, holds, want)
		}
	})
}

func TestParsing(t *testing.T) {
	for text, want := range map[string]silence.Clock{"00:00": 0, "07:05": 425, "24:00": silence.FullDay} {
		if c, err := silence.ParseClock(text); err != nil || c != want || c.String() != text {
			t.Errorf("%s: %v, %v", text, c, err)
		}
	}
	for _, text := range []string{"", "7:00", "24:01", "12:60", "-1:00", "12:00 ", "12.00", "+1:00"} {
		if c, err := silence.ParseClock(text); err == nil {
			t.Errorf("%q is read as %v", text, c)
		}
	}
	for _, name := range silence.Days {
		if d, err := silence.ParseDay(name); err != nil || silence.DayName(d) != name || !strings.HasPrefix(strings.ToLower(d.String()), name) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	if _, err := silence.ParseDay("monday"); err == nil {
		t.Error("monday is read")
	}
	for name, ok := range map[string]bool{"": false, "Local": false, "Mars/Olympus": false, "UTC": true, "Europe/Berlin": true} {
		if _, err := silence.Zone(name); (err == nil) != ok {
			t.Errorf("zone %q: %v", name, err)
		}
	}
	for author, ok := range map[string]bool{"": false, " ": false, "a@b.example": false, "alice": true, "a\nb": false, strings.Repeat("x", 65): false} {
		if err := silence.CheckAuthor(author); (err == nil) != ok {
			t.Errorf("author %q: %v", author, err)
		}
	}
	if silence.CheckReason(" ") == nil || silence.CheckReason("moving the data base") != nil {
		t.Error("reasons")
	}
	for text, ok := range map[string]bool{"mon,sun 22:00-07:00": true, "daily 00:00-24:00": true, "mon 22:00": false, "x 22:00-07:00": false, "22:00-7:00": false, "": false} {
		w, err := silence.ParseWindow(text)
		if (err == nil) != ok || (ok && w.String() != text) {
			t.Errorf("window %q: %v, %v", text, w, err)
		}
	}
	if got := fmt.Sprint(silence.Window{Days: []time.Weekday{time.Sunday}, From: 60, To: 120}); got != "sun 01:00-02:00" {
		t.Error(got)
	}
}
