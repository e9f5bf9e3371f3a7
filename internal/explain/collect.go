package explain

import (
	"context"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// silent notes an observation that led to no action.
func (r *replay) silent(j judgement) {
	if !r.shows(j) {
		return
	}
	r.fold.silent(j)
	ep := r.episode(j.episode)
	ep.Silent[j.reason.Code]++
	if ep.codes[j.reason.Code] == nil {
		ep.codes[j.reason.Code] = &tally{}
	}
	ep.codes[j.reason.Code].add(j)
}

// acted notes an action that the log has.
func (r *replay) acted(j judgement, d incident.Decision) {
	j.episode = d.Episode
	if !r.shows(j) {
		return
	}
	e := newEntry(Decision, j)
	if j.observation.IncidentKey == "" {
		// Nothing stored led to it.
		e.Count = 0
	}
	e.Logged, e.DecidedAt = true, d.DecidedAt
	e.PolicyHash, e.ConfigHash, e.Reason, e.Sequence, e.To = d.PolicyHash, d.ConfigHash, d.Reason, d.Sequence, d.To
	e.Silenced, e.Note, e.left = d.Silenced, d.Note, d.Left
	r.fold.act(e)
	ep := r.episode(d.Episode)
	switch d.Action {
	case incident.Open:
		ep.Opens++
		ep.Opened = d.Tick
	case incident.Remind:
		ep.Reminders++
	case incident.Resolve:
		if d.Left > 0 {
			return
		}
		ep.Resolves++
		ep.Resolved = d.Tick
	}
}

// shows reports whether a judgement is inside of the window, and counts what is.
func (r *replay) shows(j judgement) bool {
	o := j.observation
	if !r.query.holds(o.Tick, j.episode) {
		return false
	}
	if o.IncidentKey == "" {
		return true
	}
	r.window.Shown++
	if o.Verdict == observation.Failing {
		// What it said is read when the last one is known.
		seen := &Seen{Tick: o.Tick, Source: o.Source}
		r.evidence.Last = seen
		if r.evidence.First == nil {
			r.evidence.First = seen
		}
	}
	return true
}

// fillEvidence reads what was said at the first and the last tick.
func (x *Explainer) fillEvidence(ctx context.Context, key string, e *Evidence) error {
	for _, seen := range []*Seen{e.First, e.Last} {
		if seen == nil {
			continue
		}
		err := x.Store.Observations(ctx, key, seen.Tick, seen.Tick, func(o observation.Observation) error {
			if o.Source == seen.Source {
				*seen = seenIn(o)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func seenIn(o observation.Observation) Seen {
	return Seen{
		Tick: o.Tick, Source: o.Source, Status: notice.OneLine(o.Status), Summary: notice.Clean(o.Summary),
		Evidence: notice.FromEvidence(o.Evidence),
	}
}

func (r *replay) episode(n int) *Episode {
	if r.episodes[n] == nil {
		r.episodes[n] = &Episode{Number: n, Silent: map[incident.Code]int{}, codes: map[incident.Code]*tally{}}
	}
	return r.episodes[n]
}

// maxDifferences bounds what is told of a history that is far off; the rest is
// counted with the last one.
const maxDifferences = 50

type differences []Difference

// add notes a difference, together with the one before if it is of the same
// kind.
func (all *differences) add(tick time.Time, log, replay string) {
	if n := len(*all); n > 0 {
		last := &(*all)[n-1]
		if (last.Log == log && last.Replay == replay) || n == maxDifferences {
			last.Count++
			last.Last = tick
			return
		}
	}
	*all = append(*all, Difference{First: tick, Last: tick, Count: 1, Log: log, Replay: replay})
}

// words say that what looks like differences need not be any.
func (all differences) words() string {
	first, last, n := all[0], all[len(all)-1], 0
	for _, d := range all {
		n += d.Count
	}
	text := fmt.Sprintf("whether the log is right at %s cannot be told, because it is not known by which policy, or in which order, the observations were judged (logged: %s; replayed: %s)",
		stamp(first.First), first.Log, first.Replay)
	if n > 1 {
		text += fmt.Sprintf("; nor %s more, until %s", times(n-1), stamp(last.Last))
	}
	return text
}
