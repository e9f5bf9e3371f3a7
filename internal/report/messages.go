package report

import (
	"context"
	"fmt"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// messages counts what was sent of an incident, and the digests that told it.
func (m *measure) messages(e *episode) {
	type heard struct {
		sequence    int
		destination string
	}
	seen := make(map[heard]bool)
	owners := make(map[string]bool)
	for _, d := range e.deliveries {
		if !m.holds(d.Tick) {
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
					m.message(row, false)
				}
			}
			continue
		}
		to := heard{d.Sequence, d.Destination}
		accepted := !acceptedAt(d).IsZero()
		m.message(d, accepted && seen[to])
		seen[to] = seen[to] || accepted
	}
	for id := range owners {
		m.owner(id).Incidents++
	}
}

// message counts one message with its attempts. again tells that its destination
// had the same already.
func (m *measure) message(d delivery.Delivery, again bool) {
	to := m.destination(d.Destination)
	to.Messages++
	switch d.State {
	case delivery.Held:
		to.Held++
	case delivery.Dead:
		to.Dead++
	}
	to.attempts(d)
	if acceptedAt(d).IsZero() {
		return
	}
	to.Accepted++
	m.accepted++
	m.twice += acceptances(d) - 1
	if again {
		m.twice++
	}
	if mayBeTwice(d) {
		m.mayBeTwice++
	}
	owner := m.owner(d.Owner)
	owner.Notices[string(d.Action)]++
	owner.Total++
}

func (m *measure) destination(id string) *Destination {
	if m.destinations[id] == nil {
		m.destinations[id] = &Destination{Destination: id, Failed: map[string]int{}}
	}
	return m.destinations[id]
}

func (m *measure) owner(id string) *Owner {
	if m.owners[id] == nil {
		m.owners[id] = &Owner{Owner: id, Notices: map[string]int{}}
	}
	return m.owners[id]
}

func (to *Destination) attempts(d delivery.Delivery) {
	// Those that are not kept were refused for a while: nothing else is left out.
	left := d.Tries() - len(d.Attempts)
	to.Attempts += left
	if left > 0 {
		to.Failed[string(delivery.Temporary)] += left
	}
	for _, a := range d.Attempts {
		if a.Class == "" {
			continue // it is running
		}
		to.Attempts++
		if a.Class != delivery.Accepted {
			to.Failed[string(a.Class)]++
		}
	}
}

func (to *Destination) done() Destination {
	failed := 0
	for _, n := range to.Failed {
		failed += n
	}
	to.FailedShare = share(failed, to.Attempts)
	return *to
}

// acceptances is how often a message that arrived was taken, at least once.
func acceptances(d delivery.Delivery) int {
	n := 0
	for _, a := range d.Attempts {
		if a.Class == delivery.Accepted {
			n++
		}
	}
	return max(n, 1)
}

// mayBeTwice reports a message that was taken when it was sent as a possible
// repeat of an attempt that nobody knows the end of.
func mayBeTwice(d delivery.Delivery) bool {
	doubtful := false
	for _, a := range d.Attempts {
		if a.Class == delivery.Accepted && a.Repeat && doubtful {
			return true
		}
		doubtful = doubtful || a.Class == delivery.Ambiguous || a.Class == ""
	}
	return false
}

// measureRefusals counts what fallbacks were told about destinations themselves:
// one read for each destination.
func (m *measure) measureRefusals(ctx context.Context) error {
	ids := make([]string, 0, len(m.destinations))
	for id := range m.destinations {
		ids = append(ids, id)
	}
	for _, id := range ids {
		from, to := int(m.from.Unix()), int(m.to.Unix())
		err := m.store.Episodes(ctx, delivery.RefusalKey(id), from, to, func(d delivery.Delivery) error {
			m.reads.Deliveries++
			m.message(d, false)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read what was told about destination %s: %w", id, err)
		}
	}
	return nil
}

// actions are what owners are told, in the order of columns.
func actions() []string {
	return []string{string(incident.Open), string(incident.Remind), string(incident.Resolve), string(incident.SilenceEnded), string(delivery.Digest), string(delivery.Refused), string(delivery.Restored)}
}
