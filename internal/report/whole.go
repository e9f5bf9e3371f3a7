package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// findLack returns the parts of an episode that are missing; see Parts.
func (m *measure) findLack(ctx context.Context, e *episode, told map[string]delivery.Delivery) (Lack, error) {
	l := Lack{Key: e.state.Key, Episode: e.number}
	if _, parts, err := incident.SplitKey(e.state.Key); err != nil || len(parts) == 0 {
		l.add(PartKey, "the key names no parts")
	}
	e.checkSource(&l)
	e.checkDecisions(&l)
	e.checkAttempts(&l, told)
	return l, m.checkEvidence(ctx, e, &l)
}

// add adds a missing part, unless it is there already, and why it is missing.
func (l *Lack) add(part, format string, args ...any) {
	if !slices.Contains(l.Parts, part) {
		l.Parts = append(l.Parts, part)
		l.Why = append(l.Why, fmt.Sprintf(format, args...))
	}
}

// checkSource looks for the owner, and for the source of each decision.
func (e *episode) checkSource(l *Lack) {
	owner := e.state.Owner
	for _, d := range e.deliveries {
		owner = d.Owner
	}
	if owner == "" {
		l.add(PartSource, "no owner is known")
	}
	for _, d := range e.log {
		if d.Source == "" {
			l.add(PartSource, "%s %d.%d names no source", d.Action, d.Episode, d.Sequence)
		}
	}
}

// checkDecisions looks for gaps. Sequences count from 1, the open's, and numbers in the
// key's log are consecutive.
func (e *episode) checkDecisions(l *Lack) {
	for i, d := range e.log {
		switch {
		case i == 0 && (d.Action != incident.Open || d.Sequence != 1):
			l.add(PartDecisions, "the first that is stored is %s %d.%d, not the open", d.Action, d.Episode, d.Sequence)
		case i > 0 && (d.Sequence != e.log[i-1].Sequence+sequenceStep(d.Action) && !continues(e.log[i-1], d) || d.Seq != e.log[i-1].Seq+1):
			l.add(PartDecisions, "there is a gap before %s %d.%d", d.Action, d.Episode, d.Sequence)
		case d.Reason == "" || d.Tick.IsZero() || d.DecidedAt.IsZero():
			l.add(PartDecisions, "%s %d.%d has no reason or no time", d.Action, d.Episode, d.Sequence)
		}
	}
	last := e.log[len(e.log)-1]
	switch current := e.state.Episode == e.number; {
	case current && last.Sequence != e.state.Sequence:
		l.add(PartDecisions, "the last that is stored is %d.%d; there were %d", last.Episode, last.Sequence, e.state.Sequence)
	case (!current || !e.state.Open) && (last.Action != incident.Resolve || last.Left > 0):
		l.add(PartDecisions, "the incident is over, and no resolve is stored")
	}
}

// continues reports whether a decision tells the same end as the one before it, to
// other destinations.
func continues(before, d incident.Decision) bool {
	return before.Left > 0 && d.Action == before.Action && d.Sequence == before.Sequence
}

// sequenceStep returns what an action adds to the sequence: an acknowledgement is in the
// log but sends no message, and adds nothing.
func sequenceStep(a incident.Action) int {
	if a == incident.Ack || a == incident.Unack {
		return 0
	}
	return 1
}

// checkAttempts looks for the message of each decision to each of its destinations, and
// for missing attempts of each stored message.
func (e *episode) checkAttempts(l *Lack, told map[string]delivery.Delivery) {
	for _, d := range e.log {
		for _, to := range d.To {
			if !slices.ContainsFunc(e.deliveries, func(x delivery.Delivery) bool {
				return x.Sequence == d.Sequence && x.Destination == to && x.For == ""
			}) {
				l.add(PartAttempts, "the message of %s %d.%d to %s is not stored", d.Action, d.Episode, d.Sequence, to)
			}
		}
	}
	for _, d := range e.deliveries {
		if d.In != "" {
			by := told[d.ID]
			if by.ID == "" {
				l.add(PartAttempts, "message %s, which told %s, is not stored", d.In, d.ID)
				continue
			}
			d = by
		}
		if why := missingAttempts(d); why != "" {
			l.add(PartAttempts, "message %s: %s", d.ID, why)
		}
	}
}

// missingAttempts says what is missing of a message's attempts; empty if nothing is.
func missingAttempts(d delivery.Delivery) string {
	if left := d.Tries() - len(d.Attempts); left > 0 {
		return fmt.Sprintf("%d of its attempts were not kept", left)
	}
	for _, a := range d.Attempts {
		if a.Started.IsZero() || d.State.Final() && (a.Class == "" || a.Ended.IsZero()) {
			return fmt.Sprintf("attempt %d has no time or no outcome", a.Number)
		}
	}
	if d.State == delivery.Delivered && len(d.Attempts) == 0 {
		return "it is delivered without an attempt"
	}
	return ""
}

// checkEvidence looks for what the vendor reported first and last. It looks in messages
// before it reads observations, which expire earlier.
func (m *measure) checkEvidence(ctx context.Context, e *episode, l *Lack) error {
	var first, last notice.Notice
	for _, d := range e.deliveries {
		if d.Sequence == 1 && hasEvidence(d.Notice) {
			first = d.Notice
		}
		if hasEvidence(d.Notice) {
			last = d.Notice
		}
	}
	open, final := e.log[0], e.log[len(e.log)-1]
	if !hasEvidence(first) && open.Sequence == 1 {
		var err error
		if first, err = m.failingNotice(ctx, e.state.Key, open.Tick); err != nil {
			return err
		}
	}
	if !hasEvidence(last) && !final.Tick.Equal(open.Tick) {
		var err error
		if last, err = m.failingNotice(ctx, e.state.Key, final.Tick); err != nil {
			return err
		}
	}
	if !hasEvidence(last) {
		last = first
	}
	if !hasEvidence(first) {
		l.add(PartFirst, "neither the open's messages nor an observation of %s are stored", observation.FormatTick(open.Tick))
	}
	if !hasEvidence(last) {
		l.add(PartLast, "neither messages nor an observation of %s are stored", observation.FormatTick(final.Tick))
	}
	linked := func(n notice.Notice) bool { return n.Evidence.VendorID != "" || notice.SafeLink(n.Evidence.Link) != "" }
	if !hasNoVendor(open.Source) && !linked(first) && !linked(last) {
		l.add(PartLink, "the vendor gave neither a link nor an id, or they are not stored")
	}
	return nil
}

// hasEvidence reports whether a notice contains what a vendor reported.
func hasEvidence(n notice.Notice) bool { return n.Summary != "" || n.Evidence.VendorID != "" }

// failingNotice returns the failing observation of a tick in the form of a notice.
func (m *measure) failingNotice(ctx context.Context, key string, tick time.Time) (notice.Notice, error) {
	var n notice.Notice
	err := m.store.Observations(ctx, key, tick, tick, func(o observation.Observation) error {
		m.mu.Lock()
		m.reads.Observations++
		m.mu.Unlock()
		if o.Verdict == observation.Failing {
			n = notice.Notice{Summary: o.Summary, Evidence: notice.FromEvidence(o.Evidence)}
			return errStop
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStop) {
		return n, fmt.Errorf("read the evidence of %s: %w", key, err)
	}
	return n, nil
}

var errStop = errors.New("enough")
