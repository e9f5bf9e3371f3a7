package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

func draw(t *testing.T, rows trace.Rows, p incident.Policy, n int) []*Timeline {
	t.Helper()
	r, err := Run(rows, []Candidate{{Policy: p}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := Timelines(rows, r, n)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// classes samples a band in the middle of each of n stretches.
func classes(l *Timeline, n int, class func(slot) string) string {
	var b strings.Builder
	for i := range n {
		c := class(l.slots[(2*i+1)*slots/(2*n)])
		if c == "" {
			c = "-"
		}
		b.WriteByte(c[0])
	}
	return b.String()
}

func TestTimeline(t *testing.T) {
	verdictLine, truthLine := "HHFFUFHHHHFH", "HFFFFFHHHHHH"
	l := draw(t, line("k", verdictLine, truthLine), defaults(nil), 5)[0]
	for _, c := range []struct {
		band  string
		class func(slot) string
		want  string
	}{
		{"verdicts", slot.verdict, "hhffufhhhhfh"},
		{"truth", slot.reality, "hfffffhhhhhh"},
		{"incident", slot.incident, "--ooooo---oo"},
	} {
		if got := classes(l, len(verdictLine), c.class); got != c.want {
			t.Errorf("%s: got %s, want %s", c.band, got, c.want)
		}
	}
	if l.Notices != 3 || !l.HasTruth || l.Last.Sub(l.First) != 12*time.Minute {
		t.Errorf("%d notices, truth %t, %s to %s", l.Notices, l.HasTruth, l.First, l.Last)
	}
	var marks []string
	for _, m := range l.marks() {
		marks = append(marks, m.Class)
	}
	if got := strings.Join(marks, " "); got != "open resolve open" {
		t.Errorf("marks: got %s", got)
	}
}

// Nobody polled for a while: nothing is drawn there, but the incident stays.
func TestTimelineGap(t *testing.T) {
	rows := func(yield func(trace.Row, error) bool) {
		for row := range line("k", "FFFFFFFF", "") {
			if m := int(row.Tick.Sub(noon) / time.Minute); m < 2 || m > 5 {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
	l := draw(t, rows, defaults(nil), 1)[0]
	if got := classes(l, 8, slot.verdict); got != "ff----ff" {
		t.Errorf("verdicts: got %s", got)
	}
	if got := classes(l, 8, slot.incident); got != "oooooooo" {
		t.Errorf("incident: got %s", got)
	}
}

func TestTimelineOfFlapping(t *testing.T) {
	p := defaults(func(p *incident.Policy) {
		p.HealthyRequired, p.FlapEpisodes, p.FlapWindow, p.FlapStableTicks = 1, 2, time.Hour, 3
	})
	l := draw(t, line("k", "FHFHFHHHH", ""), p, 1)[0]
	if got := classes(l, 9, slot.incident); got != "o-fffff--" {
		t.Errorf("got %s", got)
	}
}

// Many ticks in one slot are drawn as one, and no line outgrows its slots.
func TestTimelineOfManyTicks(t *testing.T) {
	l := draw(t, line("k", strings.Repeat("FHHHHHHHHH", 2000), ""), defaults(nil), 1)[0]
	if bars := l.bars(slot.verdict); len(bars) != 1 || bars[0] != (Bar{0, slots, "mixed"}) {
		t.Errorf("got %v", bars)
	}
	if marks := l.marks(); len(marks) != 2*slots || !strings.HasPrefix(marks[0].Title, "2 × resolve") && !strings.HasPrefix(marks[0].Title, "3 × resolve") {
		t.Errorf("%d marks, the first %v", len(marks), marks[0])
	}
}

func TestBusiestKeysAreDrawn(t *testing.T) {
	rows := func(yield func(trace.Row, error) bool) {
		for _, rows := range []trace.Rows{line("quiet", "HHHHHH", ""), line("b", "FHHHHH", ""), line("a", "FHHHHH", ""), line("busy", "FHHFHH", "")} {
			for row, err := range rows {
				if !yield(row, err) {
					return
				}
			}
		}
	}
	var got []string
	for _, l := range draw(t, rows, defaults(nil), 3) {
		got = append(got, l.Key)
	}
	if want := "busy a b"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if lines := draw(t, rows, defaults(nil), 0); len(lines) != 0 {
		t.Errorf("%d lines, want none", len(lines))
	}
}

// A tick that comes late does not redraw what came after it.
func TestLateTickIsNotDrawnOver(t *testing.T) {
	l := draw(t, outOfOrder(line("k", "FHHHHFFF", ""), 0, 1, 2, 5, 3, 6, 7), defaults(nil), 1)[0]
	if got := classes(l, 8, slot.incident); got != "oo---ooo" {
		t.Errorf("got %s", got)
	}
}

func TestSingleTick(t *testing.T) {
	l := draw(t, line("k", "F", ""), defaults(nil), 1)[0]
	if got := classes(l, 3, slot.incident); got != "ooo" {
		t.Errorf("got %s", got)
	}
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		span        time.Duration
		first, last string
	}{
		{6 * time.Hour, "12:00", "17:00"},
		{20 * time.Minute, "12:00", "12:15"},
		{36 * time.Hour, "2 Jan 12:00", "3 Jan 18:00"},
		{30 * 24 * time.Hour, "5 Jan", "26 Jan"},
	} {
		ticks := clock(noon, noon.Add(c.span), slots)
		if len(ticks) < 3 || len(ticks) > 8 || ticks[0].Label != c.first || ticks[len(ticks)-1].Label != c.last {
			t.Errorf("%s: got %v", c.span, ticks)
		}
	}
}

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		largest float64
		isTime  bool
		top     float64
		last    string
	}{
		{0, false, 1, "1"},
		{1, false, 1, "1"},
		{7, false, 8, "8"},
		{1234, false, 1500, "1500"},
		{0, true, 1, "1s"},
		{100, true, 120, "2m"},
		{4000, true, 4500, "1h15m"},
		{1e9, true, 86400 * 12000, "12000d"},
	} {
		a := newAxis(c.largest, 100, c.isTime)
		last := a.ticks[len(a.ticks)-1]
		if a.top != c.top || last.Label != c.last || last.At != 100 {
			t.Errorf("%v: got top %v, last tick %v, want %v, %s", c.largest, a.top, last, c.top, c.last)
		}
	}
}
