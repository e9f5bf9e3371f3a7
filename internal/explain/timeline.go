package explain

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// maxLines bounds the time line of one incident, not counting actions. When there
// are twice as many runs, neighbours are merged in pairs into mixed entries.
const maxLines = 1000

// judgement is one observation and what Decide made of it.
type judgement struct {
	observation observation.Observation
	state       incident.State
	policy      incident.Policy
	action      incident.Action
	reason      incident.Reason
	episode     int
	// policyKnown is set if the policy is known for certain. alternatives are other
	// states that the observation may have led to.
	policyKnown  bool
	alternatives []incident.State
}

// timelineBuilder builds a time line of bounded length from any number of
// judgements.
type timelineBuilder struct {
	entries []*Entry
	// runs holds the entry of each source that the next observation may extend.
	runs map[string]*Entry
	// silentLines counts the entries without an action.
	silentLines int
	maxLines    int
}

func newTimelineBuilder() *timelineBuilder {
	return &timelineBuilder{runs: map[string]*Entry{}, maxLines: maxLines}
}

// addSilent adds a judgement without an action.
func (b *timelineBuilder) addSilent(j judgement) {
	o := j.observation
	if e := b.runs[o.Source]; e != nil && e.continues(j) {
		e.Last, e.lastJudgement = o.Tick, j
		e.Count++
		return
	}
	if b.silentLines >= 2*b.maxLines {
		b.halve()
	}
	e := newEntry(Observations, j)
	b.entries, b.runs[o.Source] = append(b.entries, e), e
	b.silentLines++
}

// addAction adds an entry for an action. It ends all runs, which keeps the entries in
// order of time.
func (b *timelineBuilder) addAction(e *Entry) {
	clear(b.runs)
	b.entries = append(b.entries, e)
}

func newEntry(what string, j judgement) *Entry {
	o := j.observation
	return &Entry{
		What: what, First: o.Tick, Last: o.Tick, Source: o.Source, Verdict: string(o.Verdict),
		Missing: o.Missing, Unseen: o.Unseen, Count: 1, Action: j.action, Code: j.reason.Code, Episode: j.episode, lastJudgement: j,
	}
}

// continues reports whether a judgement extends the run of an entry.
func (e *Entry) continues(j judgement) bool {
	o := j.observation
	return e.Verdict == string(o.Verdict) && e.Missing == o.Missing && e.Unseen == o.Unseen && e.Code == j.reason.Code && e.Episode == j.episode
}

// halve merges neighbouring entries without an action in pairs.
func (b *timelineBuilder) halve() {
	clear(b.runs)
	kept := b.entries[:0]
	b.silentLines = 0
	var unpaired *Entry
	for _, e := range b.entries {
		switch {
		case e.What != Observations:
			unpaired = nil
		case unpaired != nil && unpaired.Episode == e.Episode:
			unpaired.absorb(e)
			unpaired = nil
			continue
		default:
			unpaired = e
			b.silentLines++
		}
		kept = append(kept, e)
	}
	clear(b.entries[len(kept):])
	b.entries = kept
}

// absorb merges the entry that follows into this one.
func (e *Entry) absorb(other *Entry) {
	parts := e.parts()
	for what, n := range other.parts() {
		parts[what] += n
	}
	e.Parts, e.Count, e.lastJudgement = parts, e.Count+other.Count, other.lastJudgement
	if other.Last.After(e.Last) {
		e.Last = other.Last
	}
	e.Verdict, e.Code = sameOrMixed(e.Verdict, other.Verdict), incident.Code(sameOrMixed(string(e.Code), string(other.Code)))
	e.Source = sameOrMixed(e.Source, other.Source)
}

// parts returns what an entry is made of, by verdict and reason code.
func (e *Entry) parts() map[string]int {
	if e.Parts != nil {
		return e.Parts
	}
	return map[string]int{e.Verdict + " " + string(e.Code): e.Count}
}

func sameOrMixed(a, b string) string {
	if a == b {
		return a
	}
	return Mixed
}

// finish returns the entries, each with its reason in words.
func (b *timelineBuilder) finish() []Entry {
	out := make([]Entry, len(b.entries))
	for i, e := range b.entries {
		e.fillWords()
		out[i] = *e
	}
	return out
}

// fillWords sets the reason and the words of an entry from its last judgement.
func (e *Entry) fillWords() {
	j := e.lastJudgement
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
		e.Words = notice.Why(j.reason, j.state, j.policy, j.observation.Tick) + e.noteText() + e.silencedText()
	}
}

// tally counts the judgements of one reason code in one episode that told nobody.
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
