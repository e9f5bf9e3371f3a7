package replay

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// slots is the resolution of a time line; several ticks may share a slot, and a
// longer trace makes no larger time line.
const slots = 860

// Timeline is the history of one key and of its incident under the first candidate,
// cut into slots of equal length.
type Timeline struct {
	Key      string
	First    time.Time
	Last     time.Time
	HasTruth bool
	Notices  int

	slots [slots]slot
	state incident.State
	truth observation.Verdict
	// drawn is the last slot up to which the incident's state has been drawn.
	drawn    int
	interval time.Duration
}

// Timelines draws the n keys with the most notices under the result's first
// candidate. It reads the rows again, and stores only what it draws.
func Timelines(rows trace.Rows, r *Result, n int) ([]*Timeline, error) {
	lines := make(map[string]*Timeline)
	for _, key := range r.busiest(n) {
		s := r.spans[key]
		lines[key] = &Timeline{
			Key: key, First: s.first, Last: s.last.Add(max(s.interval, time.Second)),
			interval: max(s.interval, time.Second), state: incident.State{Key: key},
		}
	}
	if len(lines) == 0 {
		return nil, nil
	}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if l := lines[row.IncidentKey]; l != nil {
			l.step(row, r.Candidates[0].policyFor(row.Observation))
		}
	}
	var out []*Timeline
	for _, key := range r.busiest(n) {
		lines[key].finish()
		out = append(out, lines[key])
	}
	return out, nil
}

func (r *Result) busiest(n int) []string {
	keys := slices.SortedFunc(maps.Keys(r.spans), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.spans[b].notices, r.spans[a].notices), cmp.Compare(a, b))
	})
	return keys[:max(0, min(n, len(keys)))]
}

func (l *Timeline) step(row trace.Row, p incident.Policy) {
	from, to := l.slot(row.Tick), l.slot(row.Tick.Add(l.interval))
	l.drawState(from)
	if row.Said != "" {
		l.follow(row, from)
		return
	}
	if row.Truth != "" {
		l.truth, l.HasTruth = row.Truth, true
	}
	var a incident.Action
	l.state, a, _ = incident.Decide(l.state, row.Observation, p)
	for i := from; i < max(to, from+1); i++ {
		l.slots[i].see(row.Verdict, l.truth)
	}
	l.slots[from].mark(a)
	if a != incident.None {
		l.Notices++
	}
}

// follow applies a decision without an observation.
func (l *Timeline) follow(row trace.Row, at int) {
	if row.Said == incident.SilenceEnded && l.state.Open {
		l.slots[at].mark(incident.Remind)
		l.Notices++
	}
	l.state = l.state.Follow(row.Decision())
}

// drawState extends the incident's state up to the slot.
func (l *Timeline) drawState(to int) {
	for i := l.drawn; i < to; i++ {
		l.slots[i].open = l.slots[i].open || l.state.Open
		l.slots[i].flapping = l.slots[i].flapping || l.state.Flapping
	}
	l.drawn = max(l.drawn, to)
}

func (l *Timeline) finish() { l.drawState(slots) }

// slot returns the slot that contains the time.
func (l *Timeline) slot(t time.Time) int {
	share := float64(t.Sub(l.First)) / float64(l.Last.Sub(l.First))
	return max(0, min(slots-1, int(share*slots)))
}
