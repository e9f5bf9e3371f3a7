package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// measureEpisode measures one incident. What it needs is read before anything is
// added up.
func (m *measure) measureEpisode(ctx context.Context, e *episode) error {
	told := make(map[string]delivery.Delivery)
	for _, d := range e.deliveries {
		if d.In == "" {
			continue
		}
		by, err := m.teller(ctx, d, e.deliveries)
		if err != nil {
			return err
		}
		told[d.ID] = by
	}
	lack, err := m.judge(ctx, e, told)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.incidents++
	if len(lack.Parts) == 0 {
		m.reconstructed++
	} else {
		m.lacks = append(m.lacks, lack)
	}
	m.times(e, told)
	m.messages(e)
	return nil
}

// digest is a message that told items of several incidents, as it is stored: its
// own row, and that of its fallback where its destination refused it.
type digest struct {
	rows    []delivery.Delivery
	counted bool
}

// teller is the row that tells an item: its destination's own if that arrived, or
// else the one that did. It is the zero delivery when nothing is stored.
func (g *digest) teller(d delivery.Delivery) (by delivery.Delivery) {
	for _, row := range g.rows {
		if !acceptedAt(row).IsZero() || by.ID == "" || row.Destination == d.Destination && acceptedAt(by).IsZero() {
			by = row
		}
	}
	return by
}

// teller reads the message that told an item: another one of its incident, or a
// digest.
func (m *measure) teller(ctx context.Context, d delivery.Delivery, episode []delivery.Delivery) (delivery.Delivery, error) {
	for _, other := range episode {
		if other.ID == d.In {
			return other, nil
		}
	}
	m.mu.Lock()
	known, ok := m.digests[d.In]
	m.mu.Unlock()
	if ok {
		return known.teller(d), nil
	}
	known = &digest{}
	key := delivery.DigestRef(d.In, d.Destination, d.For).IncidentKey
	err := m.store.Episodes(ctx, key, 1, 1, func(row delivery.Delivery) error {
		// Of thousands of digests the texts would add up.
		row.Payload, row.Notice.Entries, row.Notice.Summary = nil, nil, ""
		known.rows = append(known.rows, row)
		return nil
	})
	if err != nil {
		return d, fmt.Errorf("read digest %s: %w", d.In, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads.Deliveries += len(known.rows)
	if before, ok := m.digests[d.In]; ok {
		known = before
	}
	m.digests[d.In] = known
	return known.teller(d), nil
}

// times measures how long an incident took to be detected and told.
func (m *measure) times(e *episode, told map[string]delivery.Delivery) {
	decided := make(map[int][]incident.Decision)
	for _, d := range e.log {
		if counts(d.Action) > 0 {
			decided[d.Sequence] = append(decided[d.Sequence], d)
		}
		if d.Action != incident.Open || !m.holds(d.Tick) {
			continue
		}
		m.opened++
		m.detect.add(e.since(), d.DecidedAt)
		if event := e.firstEvent(); m.measurable(e, d, event) {
			m.fromEvent.add(event, d.DecidedAt)
		}
	}
	var first time.Time
	for _, item := range e.deliveries {
		d, ok := decisionOf(item, decided[item.Sequence])
		by := item
		if item.In != "" {
			by = told[item.ID]
		}
		at := acceptedAt(by)
		if !ok || at.IsZero() || !m.holds(d.Tick) {
			continue
		}
		m.notify.add(d.DecidedAt, at)
		if d.Action != incident.Open {
			continue
		}
		m.notifyOpen.add(d.DecidedAt, at)
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	m.whole.add(e.since(), first)
}

// decisionOf is the decision that a message was committed with: an end that is told to
// very many has several. What a fallback is told is of the first.
func decisionOf(item delivery.Delivery, all []incident.Decision) (d incident.Decision, ok bool) {
	if len(all) == 0 {
		return d, false
	}
	for _, d := range all {
		if slices.Contains(d.To, cmp.Or(item.For, item.Destination)) {
			return d, true
		}
	}
	return all[0], true
}

// since is the incident's first failing tick, where anything stored says it.
func (e *episode) since() time.Time {
	for _, d := range e.deliveries {
		if !d.Notice.Since.IsZero() {
			return d.Notice.Since
		}
	}
	if e.state.Open && e.state.Episode == e.number {
		return e.state.StreakStart
	}
	return time.Time{}
}

// firstEvent is when the vendor says that it saw the first event.
func (e *episode) firstEvent() time.Time {
	for _, d := range e.deliveries {
		if d.Action == incident.Open && !d.Notice.Evidence.FirstSeen.IsZero() {
			return d.Notice.Evidence.FirstSeen
		}
	}
	return time.Time{}
}

// measurable reports whether an event can be the beginning of this incident: while
// somebody watched, and after the one before was over.
func (m *measure) measurable(e *episode, open incident.Decision, event time.Time) bool {
	watched := m.polls[pollOf(open.Source)].First
	return !event.IsZero() && !watched.IsZero() && event.After(watched) &&
		event.After(e.resolvedBefore) && !event.After(open.DecidedAt)
}

// acceptedAt is when a provider took a message; zero when none did. One whose
// answer was lost may have been confirmed by a receipt.
func acceptedAt(d delivery.Delivery) time.Time {
	for _, a := range d.Attempts {
		if a.Class == delivery.Accepted {
			return a.Ended
		}
	}
	if d.State == delivery.Delivered {
		return d.Receipt.At
	}
	return time.Time{}
}

func byIncident(a, b Lack) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Episode, b.Episode))
}
