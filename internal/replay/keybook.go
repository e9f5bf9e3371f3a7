package replay

import (
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

const (
	// maxKept bounds the keys, and the values of one part, that are counted
	// separately. More exceed any sensible limit anyway.
	maxKept = 50_000
	// maxFacts bounds the owners, stages and groups stored of one key.
	maxFacts = 200
	// shortLife: a value is short-lived if it is seen for less than this share of the
	// whole span.
	shortLife = 0.05
)

// keyBook collects facts about the keys of recorded observations.
type keyBook struct {
	rows        int64
	first, last time.Time
	keys        map[string]*keyFacts
	parts       map[partID]*partFacts
	// lostKeys counts observations of keys beyond maxKept.
	lostKeys int64
}

type partID struct{ kind, part string }

// keyFacts is what one key covers.
type keyFacts struct {
	kind                   string
	parts                  []observation.Part
	owners, stages, groups []string
}

// partFacts are the values seen of one part of one kind's keys.
type partFacts struct {
	seen   int64
	values map[string]*valueFacts
	// lost counts observations of values beyond maxKept.
	lost int64
}

type valueFacts struct {
	first, last time.Time
}

func newKeyBook() *keyBook {
	return &keyBook{keys: make(map[string]*keyFacts), parts: make(map[partID]*partFacts)}
}

// add adds one row. A row without parts gets those that its key was built from; a key
// that was not built from parts is one part without a name.
func (b *keyBook) add(row trace.Row) {
	if row.Said != "" {
		return // no observation
	}
	b.rows++
	if b.first.IsZero() || row.Tick.Before(b.first) {
		b.first = row.Tick
	}
	if row.Tick.After(b.last) {
		b.last = row.Tick
	}
	k := b.keys[row.IncidentKey]
	if k == nil {
		if len(b.keys) >= maxKept {
			b.lostKeys++
			return
		}
		k = factsOf(row.Observation)
		b.keys[row.IncidentKey] = k
	}
	k.owners = note(k.owners, row.Owner)
	k.stages = note(k.stages, row.Evidence.Stage)
	k.groups = note(k.groups, row.Evidence.VendorID)
	for _, p := range k.parts {
		b.part(partID{k.kind, p.Name}).add(p.Value, row.Tick)
	}
}

func factsOf(o observation.Observation) *keyFacts {
	k := &keyFacts{kind: o.Kind, parts: slices.Clone(o.Parts)}
	if len(k.parts) > 0 {
		return k
	}
	kind, parts, err := incident.SplitKey(o.IncidentKey)
	if err != nil {
		return &keyFacts{kind: o.Kind, parts: []observation.Part{{Value: o.IncidentKey}}}
	}
	return &keyFacts{kind: kind, parts: parts}
}

func (b *keyBook) part(id partID) *partFacts {
	p := b.parts[id]
	if p == nil {
		p = &partFacts{values: make(map[string]*valueFacts)}
		b.parts[id] = p
	}
	return p
}

func (p *partFacts) add(value string, tick time.Time) {
	p.seen++
	v := p.values[value]
	if v == nil {
		if len(p.values) >= maxKept {
			p.lost++
			return
		}
		v = &valueFacts{first: tick, last: tick}
		p.values[value] = v
	}
	if tick.Before(v.first) {
		v.first = tick
	}
	if tick.After(v.last) {
		v.last = tick
	}
}

// note adds a fact to a short list without duplicates.
func note(list []string, fact string) []string {
	if fact == "" || len(list) >= maxFacts || slices.Contains(list, fact) {
		return list
	}
	return append(list, fact)
}
