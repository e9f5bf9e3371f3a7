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

// measureEpisode measures one episode. It reads everything that it needs before it adds
// to the sums, so that the lock is not held while reading.
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
	lack, err := m.findLack(ctx, e, told)
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
	m.measureTimes(e, told)
	m.countMessages(e)
	return nil
}

// storedDigest holds the rows of a digest: its own and, if its destination refused it,
// that of its fallback.
type storedDigest struct {
	rows    []delivery.Delivery
	counted bool
}

// teller returns the row that told an item: the one that was accepted, or else that of
// the item's own destination. It is the zero delivery if none is stored.
func (g *storedDigest) teller(d delivery.Delivery) (by delivery.Delivery) {
	for _, row := range g.rows {
		if !acceptedAt(row).IsZero() || by.ID == "" || row.Destination == d.Destination && acceptedAt(by).IsZero() {
			by = row
		}
	}
	return by
}

// teller returns the message that told an item: another one of the episode, or a digest,
// which is read once.
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
	known = &storedDigest{}
	key := delivery.DigestRef(d.In, d.Destination, d.For).IncidentKey
	err := m.store.Episodes(ctx, key, 1, 1, func(row delivery.Delivery) error {
		// Drop the texts: there may be thousands of digests.
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

// measureTimes measures how long an episode took to be detected and told.
func (m *measure) measureTimes(e *episode, told map[string]delivery.Delivery) {
	decided := make(map[int][]incident.Decision)
	for _, d := range e.log {
		if sequenceStep(d.Action) > 0 {
			decided[d.Sequence] = append(decided[d.Sequence], d)
		}
		if d.Action != incident.Open || !m.inPeriod(d.Tick) {
			continue
		}
		m.opened++
		m.detect.add(e.since(), d.DecidedAt)
		if event := e.firstEvent(); m.startsWith(e, d, event) {
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
		if !ok || at.IsZero() || !m.inPeriod(d.Tick) {
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
	m.endToEnd.add(e.since(), first)
}

// decisionOf returns the decision that a message was committed with, of those with its
// sequence. There are several if a resolve has too many destinations for one
// transaction. If none names the destination, it is the first.
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

// since returns the episode's first failing tick; zero if nothing stored says it.
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

// firstEvent returns the vendor's time of the first event; zero if it gave none.
func (e *episode) firstEvent() time.Time {
	for _, d := range e.deliveries {
		if d.Action == incident.Open && !d.Notice.Evidence.FirstSeen.IsZero() {
			return d.Notice.Evidence.FirstSeen
		}
	}
	return time.Time{}
}

// startsWith reports whether an event may be the beginning of an episode: it happened
// after the source's first stored poll and after the episode before was resolved.
func (m *measure) startsWith(e *episode, open incident.Decision, event time.Time) bool {
	watched := m.polls[pollOf(open.Source)].First
	return !event.IsZero() && !watched.IsZero() && event.After(watched) &&
		event.After(e.resolvedBefore) && !event.After(open.DecidedAt)
}

// acceptedAt returns when the provider accepted a message; zero if it did not. A message
// whose answer was lost may be confirmed by a receipt.
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
