package explain

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/notice"
)

// Sizes of the drawing, in SVG units.
const (
	drawWidth = 1000
	drawLeft  = 190
	drawRight = 20
	laneStep  = 30
	laneTop   = 40
	maxLanes  = 12
	maxMarks  = 2000
)

// drawing returns the time line as SVG: the verdicts of each source, the decisions, and
// the attempts at each destination.
func (rep *Report) drawing() string {
	if len(rep.Timeline) == 0 {
		return ""
	}
	d := &drawing{axis: rep.axis()}
	for _, source := range rep.sources() {
		d.lane(source)
		for _, e := range rep.Timeline {
			if e.Source == source {
				d.block(e)
			}
		}
	}
	d.lane("decisions")
	for _, e := range rep.Timeline {
		if e.What == Decision {
			d.decision(e)
		}
	}
	for _, destination := range rep.destinations() {
		d.lane(destination)
		for _, m := range rep.Deliveries {
			if m.Destination == destination {
				d.message(m)
			}
		}
	}
	return d.svg()
}

func (rep *Report) sources() []string {
	names := map[string]bool{}
	for _, e := range rep.Timeline {
		names[e.Source] = true
	}
	return firstLanes(names)
}

func (rep *Report) destinations() []string {
	names := map[string]bool{}
	for _, d := range rep.Deliveries {
		names[d.Destination] = true
	}
	return firstLanes(names)
}

func firstLanes(names map[string]bool) []string {
	all := slices.Sorted(maps.Keys(names))
	return all[:min(len(all), maxLanes)]
}

// axis maps times to horizontal positions.
type axis struct{ from, to time.Time }

func (rep *Report) axis() axis {
	a := axis{from: rep.Timeline[0].First, to: rep.Timeline[0].Last}
	for _, e := range rep.Timeline {
		if e.First.Before(a.from) {
			a.from = e.First
		}
		if e.Last.After(a.to) {
			a.to = e.Last
		}
	}
	// Leave room for the last message, and avoid an empty axis for a single tick.
	a.to = a.to.Add(max(time.Minute, a.to.Sub(a.from)/40))
	return a
}

func (a axis) x(t time.Time) float64 {
	share := float64(t.Sub(a.from)) / float64(a.to.Sub(a.from))
	return drawLeft + (drawWidth-drawLeft-drawRight)*min(max(share, 0), 1)
}

type drawing struct {
	axis  axis
	b     strings.Builder
	lanes int
	marks int
}

func (d *drawing) y() int { return laneTop + (d.lanes-1)*laneStep }

func (d *drawing) lane(name string) {
	d.lanes++
	label := []rune(notice.OneLine(name))
	if len(label) > 26 {
		label = append(label[:25], '…')
	}
	fmt.Fprintf(&d.b, `<text class="name" x="12" y="%d">%s</text>`, d.y()+4, html.EscapeString(string(label)))
	fmt.Fprintf(&d.b, `<line class="grid" x1="%d" x2="%d" y1="%d" y2="%d"/>`, drawLeft, drawWidth-drawRight, d.y(), d.y())
}

// full counts a mark and reports whether the drawing has all that it may have.
func (d *drawing) full() bool {
	d.marks++
	return d.marks > maxMarks
}

func (d *drawing) block(e Entry) {
	if e.Count == 0 || d.full() {
		return
	}
	x := d.axis.x(e.First)
	class := cmp.Or(map[string]string{"failing": "failing", "healthy": "healthy", Mixed: "mixed"}[e.Verdict], "unknown")
	fmt.Fprintf(&d.b, `<rect class="%s" x="%.1f" y="%d" width="%.1f" height="12" rx="2"><title>%s</title></rect>`,
		class, x-2, d.y()-6, max(d.axis.x(e.Last)-x, 0)+4, html.EscapeString(span(e.First, e.Last)+" "+e.verdict()))
}

func (d *drawing) decision(e Entry) {
	if d.full() {
		return
	}
	x, y := d.axis.x(e.First), d.y()
	class := cmp.Or(map[string]string{"open": "open", "remind": "remind", "resolve": "resolve"}[string(e.Action)], "unknown")
	fmt.Fprintf(&d.b, `<path class="%s" d="M%.1f %d l7 7 l-7 7 l-7 -7 z"><title>%s</title></path>`,
		class, x, y-7, html.EscapeString(e.First.UTC().Format("15:04")+" "+e.Mark()+": "+e.Words))
}

// message draws the attempts of a message: filled if accepted, hollow if not.
func (d *drawing) message(m Delivery) {
	y := d.y()
	for _, a := range m.Attempts {
		if d.full() {
			return
		}
		class := "missed"
		if a.Class == "accepted" {
			class = "accepted"
		}
		x := d.axis.x(m.Tick.Add(a.Started.Sub(m.CreatedAt)))
		// Retries within seconds would overlap on an axis of hours.
		x += float64(a.Number-1) * 9
		fmt.Fprintf(&d.b, `<circle class="%s" cx="%.1f" cy="%d" r="5"><title>%s</title></circle>`, class, x, y,
			html.EscapeString(fmt.Sprintf("%s, attempt %d: %s %s", m.Action, a.Number, words(a.Class), a.detail())))
	}
}

func (d *drawing) svg() string {
	height := laneTop + d.lanes*laneStep
	var out strings.Builder
	fmt.Fprintf(&out, `<figure><svg viewBox="0 0 %d %d" role="img" aria-label="time line">`, drawWidth, height)
	for _, at := range d.axis.marks() {
		x := d.axis.x(at)
		fmt.Fprintf(&out, `<line class="grid" x1="%.1f" x2="%.1f" y1="22" y2="%d"/>`, x, x, height)
		fmt.Fprintf(&out, `<text x="%.1f" y="16" text-anchor="middle">%s</text>`, x, d.axis.label(at))
	}
	return out.String() + d.b.String() + `</svg></figure>`
}

// steps are the distances that may lie between two marks of an axis.
var steps = []time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 2 * 24 * time.Hour, 7 * 24 * time.Hour, 14 * 24 * time.Hour, 28 * 24 * time.Hour,
}

// marks returns a few round times on the axis.
func (a axis) marks() []time.Time {
	const most = 9
	step := steps[len(steps)-1]
	for _, s := range steps {
		if a.to.Sub(a.from) < most*s {
			step = s
			break
		}
	}
	var all []time.Time
	at := a.from.Truncate(step)
	if at.Before(a.from) {
		at = at.Add(step)
	}
	for ; !at.After(a.to) && len(all) < 100; at = at.Add(step) {
		all = append(all, at)
	}
	return all
}

func (a axis) label(t time.Time) string {
	if a.to.Sub(a.from) > 20*time.Hour {
		return t.UTC().Format("2 Jan 15:04")
	}
	return t.UTC().Format("15:04")
}
