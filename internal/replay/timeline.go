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

// slots is how finely a time line is drawn; several ticks may share a slot, and
// however long the trace is, a time line is no larger.
const slots = 860

// Timeline is what happened to one key, and what the first candidate made of
// it, cut into slots of equal length.
type Timeline struct {
	Key      string
	First    time.Time
	Last     time.Time
	HasTruth bool
	Notices  int

	slots [slots]slot
	state incident.State
	truth observation.Verdict
	// drawn is the last slot that the incident's state was drawn up to.
	drawn    int
	interval time.Duration
}

// Timelines draws the n keys of which the result's first candidate told most.
// It reads the rows again, and only keeps what it draws.
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

// follow takes over what was decided by no observation.
func (l *Timeline) follow(row trace.Row, at int) {
	if row.Said == incident.SilenceEnded && l.state.Open {
		l.slots[at].mark(incident.Remind)
		l.Notices++
	}
	l.state = l.state.Follow(row.Decision())
}

// drawState carries the incident's state up to the slot.
func (l *Timeline) drawState(to int) {
	for i := l.drawn; i < to; i++ {
		l.slots[i].open = l.slots[i].open || l.state.Open
		l.slots[i].flapping = l.slots[i].flapping || l.state.Flapping
	}
	l.drawn = max(l.drawn, to)
}

func (l *Timeline) finish() { l.drawState(slots) }

// slot is the slot that holds the time.
func (l *Timeline) slot(t time.Time) int {
	share := float64(t.Sub(l.First)) / float64(l.Last.Sub(l.First))
	return max(0, min(slots-1, int(share*slots)))
}
