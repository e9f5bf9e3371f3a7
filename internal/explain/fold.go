package explain

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// maxLines bounds the time line of one incident, actions apart. With more runs
// than that, neighbours are folded into mixed entries, again and again.
const maxLines = 1000

// judgement is one observation and what Decide made of it.
type judgement struct {
	observation observation.Observation
	state       incident.State
	policy      incident.Policy
	action      incident.Action
	reason      incident.Reason
	episode     int
	// known is whether it is known that it was by this policy, others are the states
	// that may follow as well.
	known  bool
	others []incident.State
}

// folder builds a time line of bounded length out of any number of judgements.
type folder struct {
	entries []*Entry
	// runs are the entries that may still grow, by source.
	runs map[string]*Entry
	// lines counts entries without an action.
	lines int
	limit int
}

func newFolder() *folder { return &folder{runs: map[string]*Entry{}, limit: maxLines} }

// silent takes an observation that led to no action.
func (f *folder) silent(j judgement) {
	o := j.observation
	if e := f.runs[o.Source]; e != nil && e.takes(j) {
		e.Last, e.judged = o.Tick, j
		e.Count++
		return
	}
	if f.lines >= 2*f.limit {
		f.compact()
	}
	e := newEntry(Observations, j)
	f.entries, f.runs[o.Source] = append(f.entries, e), e
	f.lines++
}

// act takes an action. Runs end with it, so that the time line reads in order.
func (f *folder) act(e *Entry) {
	clear(f.runs)
	f.entries = append(f.entries, e)
}

func newEntry(what string, j judgement) *Entry {
	o := j.observation
	return &Entry{
		What: what, First: o.Tick, Last: o.Tick, Source: o.Source, Verdict: string(o.Verdict),
		Missing: o.Missing, Unseen: o.Unseen, Count: 1, Action: j.action, Code: j.reason.Code, Episode: j.episode, judged: j,
	}
}

func (e *Entry) takes(j judgement) bool {
	o := j.observation
	return e.Verdict == string(o.Verdict) && e.Missing == o.Missing && e.Unseen == o.Unseen && e.Code == j.reason.Code && e.Episode == j.episode
}

// compact folds neighbours without an action in pairs.
func (f *folder) compact() {
	clear(f.runs)
	kept := f.entries[:0]
	f.lines = 0
	var open *Entry
	for _, e := range f.entries {
		switch {
		case e.What != Observations:
			open = nil
		case open != nil && open.Episode == e.Episode:
			open.absorb(e)
			open = nil
			continue
		default:
			open = e
			f.lines++
		}
		kept = append(kept, e)
	}
	clear(f.entries[len(kept):])
	f.entries = kept
}

func (e *Entry) absorb(other *Entry) {
	parts := e.parts()
	for what, n := range other.parts() {
		parts[what] += n
	}
	e.Parts, e.Count, e.judged = parts, e.Count+other.Count, other.judged
	if other.Last.After(e.Last) {
		e.Last = other.Last
	}
	e.Verdict, e.Code = either(e.Verdict, other.Verdict), incident.Code(either(string(e.Code), string(other.Code)))
	e.Source = either(e.Source, other.Source)
}

func (e *Entry) parts() map[string]int {
	if e.Parts != nil {
		return e.Parts
	}
	return map[string]int{e.Verdict + " " + string(e.Code): e.Count}
}

func either(a, b string) string {
	if a == b {
		return a
	}
	return Mixed
}

// done returns the time line with its words.
func (f *folder) done() []Entry {
	out := make([]Entry, len(f.entries))
	for i, e := range f.entries {
		e.say()
		out[i] = *e
	}
	return out
}

func (e *Entry) say() {
	j := e.judged
	if e.Status == "" {
		e.Status = notice.OneLine(j.observation.Status)
	}
	switch {
	case e.Code == Mixed:
		e.Reason, e.Words = Mixed, "many short runs, folded"
	case e.Reason == "":
		e.Reason = j.reason.String()
	}
	if e.Words == "" {
		e.Words = notice.Why(j.reason, j.state, j.policy, j.observation.Tick) + e.said() + e.kept()
	}
}

// tally counts decisions of one reason code in one episode.
type tally struct {
	count       int
	first, last time.Time
	reason      incident.Reason
}

func (t *tally) add(j judgement) {
	if t.count == 0 {
		t.first = j.observation.Tick
	}
	t.count++
	t.last, t.reason = j.observation.Tick, j.reason
}
