package replay

import (
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

func newPageLine(l *Timeline) pageLine {
	p := pageLine{
		Timeline: l, Ticks: clock(l.First, l.Last, slots),
		Span: observation.FormatTick(l.First) + " to " + observation.FormatTick(l.Last),
	}
	y := 4
	add := func(name string, high int, class func(slot) string) {
		p.Bands = append(p.Bands, pageBand{name, y, high, l.bars(class)})
		y += high + 4
	}
	if l.HasTruth {
		add("truth", 8, slot.reality)
	}
	add("verdicts", 14, slot.verdict)
	add("incident", 10, slot.incident)
	p.Marks = l.marks()
	p.Axis = y + 18
	p.Height = p.Axis + 22
	return p
}

// marks are the notices, one per slot and action.
func (l *Timeline) marks() []pageMark {
	var out []pageMark
	for i, s := range l.slots {
		at := observation.FormatTick(l.First.Add(l.Last.Sub(l.First) / slots * time.Duration(i)))
		for _, told := range []struct {
			action incident.Action
			n      int
		}{{incident.Remind, s.reminds}, {incident.Resolve, s.resolves}, {incident.Open, s.opens}} {
			if told.n > 0 {
				out = append(out, pageMark{i, string(told.action), fmt.Sprintf("%d × %s, about %s", told.n, told.action, at)})
			}
		}
	}
	return out
}
