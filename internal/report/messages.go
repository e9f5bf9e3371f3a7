package report

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// countMessages counts the messages of an episode, and the digests that told others,
// each once. The caller holds mu.
func (m *measure) countMessages(e *episode) {
	type notification struct {
		sequence    int
		destination string
	}
	seen := make(map[notification]bool)
	owners := make(map[string]bool)
	for _, d := range e.deliveries {
		if !m.inPeriod(d.Tick) {
			continue
		}
		owners[d.Owner] = true
		if d.SilencedBy != "" {
			m.destination(d.Destination).Silenced++
			continue
		}
		if d.In != "" {
			if g := m.digests[d.In]; g != nil && !g.counted {
				g.counted = true
				for _, row := range g.rows {
					m.countMessage(row, false)
				}
			}
			continue
		}
		to := notification{d.Sequence, d.Destination}
		accepted := !acceptedAt(d).IsZero()
		m.countMessage(d, accepted && seen[to])
		seen[to] = seen[to] || accepted
	}
	for id := range owners {
		m.owner(id).Incidents++
	}
}

// countMessage counts one message with its attempts. again is set if the destination has
// accepted a message of the same action before.
func (m *measure) countMessage(d delivery.Delivery, again bool) {
	to := m.destination(d.Destination)
	to.Messages++
	switch d.State {
	case delivery.Held:
		to.Held++
	case delivery.Dead:
		to.Dead++
	}
	to.countAttempts(d)
	if acceptedAt(d).IsZero() {
		return
	}
	to.Accepted++
	m.accepted++
	m.duplicates += acceptances(d) - 1
	if again {
		m.duplicates++
	}
	if possiblyRepeated(d) {
		m.possibleDuplicates++
	}
	owner := m.owner(d.Owner)
	owner.Notices[string(d.Action)]++
	owner.Total++
}

// destination returns the counts of a destination.
func (m *measure) destination(id string) *Destination {
	if m.destinations[id] == nil {
		m.destinations[id] = &Destination{Destination: id, Failed: map[string]int{}}
	}
	return m.destinations[id]
}

// owner returns the counts of an owner.
func (m *measure) owner(id string) *Owner {
	if m.owners[id] == nil {
		m.owners[id] = &Owner{Owner: id, Notices: map[string]int{}}
	}
	return m.owners[id]
}

// countAttempts counts the attempts of a message that have ended.
func (to *Destination) countAttempts(d delivery.Delivery) {
	// Attempts that are not kept were temporary: no others are left out.
	left := d.Tries() - len(d.Attempts)
	to.Attempts += left
	if left > 0 {
		to.Failed[string(delivery.Temporary)] += left
	}
	for _, a := range d.Attempts {
		if a.Class == "" {
			continue // the attempt has not ended
		}
		to.Attempts++
		if a.Class != delivery.Accepted {
			to.Failed[string(a.Class)]++
		}
	}
}

// withShare returns the counts with the share of failed attempts.
func (to *Destination) withShare() Destination {
	failed := 0
	for _, n := range to.Failed {
		failed += n
	}
	to.FailedShare = share(failed, to.Attempts)
	return *to
}

// acceptances returns how often an accepted message was accepted, at least 1.
func acceptances(d delivery.Delivery) int {
	n := 0
	for _, a := range d.Attempts {
		if a.Class == delivery.Accepted {
			n++
		}
	}
	return max(n, 1)
}

// possiblyRepeated reports whether a message was accepted when it was sent as a possible
// repeat, after an attempt that may have arrived.
func possiblyRepeated(d delivery.Delivery) bool {
	doubtful := false
	for _, a := range d.Attempts {
		if a.Class == delivery.Accepted && a.Repeat && doubtful {
			return true
		}
		doubtful = doubtful || a.MayHaveArrived()
	}
	return false
}

// measureRefusals counts the messages that tell fallbacks about a destination itself. It
// makes one read for each destination.
func (m *measure) measureRefusals(ctx context.Context) error {
	// A copy of the ids: countMessage may add destinations.
	for _, id := range slices.Sorted(maps.Keys(m.destinations)) {
		from, to := int(m.from.Unix()), int(m.to.Unix())
		err := m.store.Episodes(ctx, delivery.RefusalKey(id), from, to, func(d delivery.Delivery) error {
			m.reads.Deliveries++
			m.countMessage(d, false)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read what was told about destination %s: %w", id, err)
		}
	}
	return nil
}

// actions returns what owners are told, in the order of columns.
func actions() []string {
	return []string{string(incident.Open), string(incident.Remind), string(incident.Resolve), string(incident.SilenceEnded), string(delivery.Digest), string(delivery.Refused), string(delivery.Restored)}
}
