package storetest

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

var modelChecks = []check{
	{"any history of one incident is as the model has it", historiesOfOneIncident},
}

// entry is the model's version of one outbox item.
type entry struct {
	state    delivery.State
	fence    int64
	attempts int
	// until is when the item is due, or when its lease ends.
	until time.Time
}

func (e entry) claimable(now time.Time) bool {
	open := e.state == delivery.Pending || e.state == delivery.Unknown || e.state == delivery.Sending
	return open && !e.until.After(now)
}

// machine runs a store and the model side by side through a random history.
type machine struct {
	s       Store
	key     string
	now     time.Time
	version int64
	entries map[delivery.Ref]entry
	refs    []delivery.Ref
	// claims are all that were ever made, overtaken ones too.
	claims []delivery.Delivery
}

var machines atomic.Int64

// historiesOfOneIncident runs each history on a key of its own.
func historiesOfOneIncident(t *testing.T, s Store) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &machine{
			s: s, key: fmt.Sprintf("k1/model/n=%d", machines.Add(1)), now: at(10),
			entries: make(map[delivery.Ref]entry),
		}
		rt.Repeat(map[string]func(*rapid.T){
			"save": m.save, "commit": m.commit, "claim": m.claim, "settle": m.settle,
			"postpone": m.postpone, "supersede": m.supersede, "wait": m.wait, "due": m.due, "": m.same,
		})
	})
}

// read draws the version that a worker has read, which may be outdated.
func (m *machine) read(t *rapid.T) incident.State {
	behind := rapid.Int64Range(0, min(1, m.version)).Draw(t, "versions behind")
	return incident.State{Key: m.key, Version: m.version - behind, Open: rapid.Bool().Draw(t, "open")}
}

func (m *machine) save(t *rapid.T) {
	st := m.read(t)
	m.written(t, st.Version, m.s.Save(ctx, st))
}

func (m *machine) commit(t *rapid.T) {
	st := m.read(t)
	destination := rapid.SampledFrom([]string{"slack", "mail"}).Draw(t, "destination")
	d := pending(m.key, len(m.refs)/2, destination, m.now)
	err := m.s.Commit(ctx, st, incident.Decision{IncidentKey: m.key, Seq: m.version + 1}, []delivery.Delivery{d})
	if !m.written(t, st.Version, err) {
		return
	}
	if _, exists := m.entries[d.Ref()]; !exists {
		m.entries[d.Ref()] = entry{state: delivery.Pending, until: m.now}
		m.refs = append(m.refs, d.Ref())
	}
}

// written compares a write over the given version with the model's.
func (m *machine) written(t *rapid.T, version int64, err error) bool {
	if version != m.version {
		fails(t, err, incident.ErrConflict)
		return false
	}
	ok(t, err)
	m.version++
	return true
}

func (m *machine) ref(t *rapid.T) delivery.Ref {
	if len(m.refs) == 0 {
		t.Skip("no items yet")
	}
	return rapid.SampledFrom(m.refs).Draw(t, "item")
}

func (m *machine) claim(t *rapid.T) {
	ref := m.ref(t)
	e := m.entries[ref]
	until := m.later(t)
	d, err := m.s.Claim(ctx, ref, "worker", m.now, until)
	if !e.claimable(m.now) {
		fails(t, err, delivery.ErrNotClaimable)
		return
	}
	ok(t, err)
	m.entries[ref] = entry{state: delivery.Sending, fence: e.fence + 1, attempts: e.attempts + 1, until: until}
	m.claims = append(m.claims, d)
}

func (m *machine) settle(t *rapid.T) {
	if len(m.claims) == 0 {
		t.Skip("no claims yet")
	}
	d := rapid.SampledFrom(m.claims).Draw(t, "claim")
	class := rapid.SampledFrom([]delivery.Class{delivery.Accepted, delivery.Temporary, delivery.Permanent, delivery.Ambiguous}).Draw(t, "class")
	d = d.Settle(delivery.Outcome{Class: class}, false, m.now, retry, delivery.Resend, 0.5)
	err := m.s.Settle(ctx, d, counted(d, 1))
	e := m.entries[d.Ref()]
	switch {
	case e.fence == d.Fence && e.state == delivery.Sending:
		ok(t, err)
		m.entries[d.Ref()] = entry{state: d.State, fence: d.Fence, attempts: e.attempts, until: d.DueAt}
	case e.fence == d.Fence && e.state == d.State:
		ok(t, err)
	default:
		fails(t, err, delivery.ErrFenced)
	}
}

func (m *machine) postpone(t *rapid.T) {
	ref := m.ref(t)
	until := m.later(t)
	ok(t, m.s.Postpone(ctx, ref, until))
	if e := m.entries[ref]; waits(e) && e.until.Before(until) {
		e.until = until
		m.entries[ref] = e
	}
}

func (m *machine) supersede(t *rapid.T) {
	ref := m.ref(t)
	ok(t, m.s.Supersede(ctx, ref, "overtaken"))
	if e := m.entries[ref]; waits(e) {
		m.entries[ref] = entry{state: delivery.Superseded, fence: e.fence, attempts: e.attempts}
	}
}

func waits(e entry) bool { return e.state == delivery.Pending || e.state == delivery.Unknown }

func (m *machine) wait(t *rapid.T) { m.now = m.later(t) }

func (m *machine) later(t *rapid.T) time.Time {
	return m.now.Add(time.Duration(rapid.IntRange(1, 180).Draw(t, "seconds")) * time.Second)
}

// due compares what is due with the model. Items of other histories are there
// too.
func (m *machine) due(t *rapid.T) {
	found, want := map[delivery.Ref]bool{}, map[delivery.Ref]bool{}
	for _, d := range must(m.s.Due(ctx, m.now, 100_000))(t) {
		if d.IncidentKey == m.key {
			found[d.Ref] = true
		}
	}
	for ref, e := range m.entries {
		if e.claimable(m.now) {
			want[ref] = true
		}
	}
	equal(t, "due", found, want)
}

// same compares the state and the outbox with the model after every step.
func (m *machine) same(t *rapid.T) {
	st := must(m.s.States(ctx, []string{m.key}))(t)[m.key]
	equal(t, "version", st.Version, m.version)

	found := map[delivery.Ref]entry{}
	for _, d := range must(m.s.Episode(ctx, m.key, 1))(t) {
		found[d.Ref()] = entry{state: d.State, fence: d.Fence, attempts: len(d.Attempts), until: d.DueAt}
	}
	if fmt.Sprint(found) != fmt.Sprint(m.entries) {
		t.Fatalf("the store has %v\nthe model     %v", found, m.entries)
	}
}
