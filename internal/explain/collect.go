package explain

import (
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// addSilent adds a judgement without an action to the report.
func (r *replay) addSilent(j judgement) {
	if !r.inWindow(j) {
		return
	}
	r.timeline.addSilent(j)
	ep := r.episode(j.episode)
	ep.Silent[j.reason.Code]++
	if ep.codes[j.reason.Code] == nil {
		ep.codes[j.reason.Code] = &tally{}
	}
	ep.codes[j.reason.Code].add(j)
}

// addAction adds a decision of the log to the report, with the judgement that led to
// it.
func (r *replay) addAction(j judgement, d incident.Decision) {
	j.episode = d.Episode
	if !r.inWindow(j) {
		return
	}
	e := newEntry(Decision, j)
	if j.observation.IncidentKey == "" {
		// No stored observation led to it.
		e.Count = 0
	}
	e.Logged, e.DecidedAt = true, d.DecidedAt
	e.PolicyHash, e.ConfigHash, e.Reason, e.Sequence, e.To = d.PolicyHash, d.ConfigHash, d.Reason, d.Sequence, d.To
	e.Silenced, e.Note, e.left = d.Silenced, d.Note, d.Left
	r.timeline.addAction(e)
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

// inWindow reports whether a judgement is in the window that is explained, and
// counts its observation if so.
func (r *replay) inWindow(j judgement) bool {
	o := j.observation
	if !r.query.includes(o.Tick, j.episode) {
		return false
	}
	if o.IncidentKey == "" {
		return true
	}
	r.window.Shown++
	if o.Verdict == observation.Failing {
		// fillEvidence reads the rest, once the last one is known.
		seen := &Seen{Tick: o.Tick, Source: o.Source}
		r.evidence.Last = seen
		if r.evidence.First == nil {
			r.evidence.First = seen
		}
	}
	return true
}

func (r *replay) episode(n int) *Episode {
	if r.episodes[n] == nil {
		r.episodes[n] = &Episode{Number: n, Silent: map[incident.Code]int{}, codes: map[incident.Code]*tally{}}
	}
	return r.episodes[n]
}
