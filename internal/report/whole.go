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

// judge says which parts of an incident are missing; see Parts.
func (m *measure) judge(ctx context.Context, e *episode, told map[string]delivery.Delivery) (Lack, error) {
	l := Lack{Key: e.state.Key, Episode: e.number}
	if _, parts, err := incident.SplitKey(e.state.Key); err != nil || len(parts) == 0 {
		l.miss(PartKey, "the key names no parts")
	}
	e.judgeSource(&l)
	e.judgeDecisions(&l)
	e.judgeAttempts(&l, told)
	return l, m.judgeEvidence(ctx, e, &l)
}

// miss notes a missing part, each once, with the first reason.
func (l *Lack) miss(part, format string, args ...any) {
	if !slices.Contains(l.Parts, part) {
		l.Parts = append(l.Parts, part)
		l.Why = append(l.Why, fmt.Sprintf(format, args...))
	}
}

func (e *episode) judgeSource(l *Lack) {
	owner := e.state.Owner
	for _, d := range e.deliveries {
		owner = d.Owner
	}
	if owner == "" {
		l.miss(PartSource, "no owner is known")
	}
	for _, d := range e.log {
		if d.Source == "" {
			l.miss(PartSource, "%s %d.%d names no source", d.Action, d.Episode, d.Sequence)
		}
	}
}

// judgeDecisions looks for gaps: sequences count from the open's 1, and positions
// in the key's log follow each other.
func (e *episode) judgeDecisions(l *Lack) {
	for i, d := range e.log {
		switch {
		case i == 0 && (d.Action != incident.Open || d.Sequence != 1):
			l.miss(PartDecisions, "the first that is stored is %s %d.%d, not the open", d.Action, d.Episode, d.Sequence)
		case i > 0 && (d.Sequence != e.log[i-1].Sequence+counts(d.Action) && !rest(e.log[i-1], d) || d.Seq != e.log[i-1].Seq+1):
			l.miss(PartDecisions, "there is a gap before %s %d.%d", d.Action, d.Episode, d.Sequence)
		case d.Reason == "" || d.Tick.IsZero() || d.DecidedAt.IsZero():
			l.miss(PartDecisions, "%s %d.%d has no reason or no time", d.Action, d.Episode, d.Sequence)
		}
	}
	last := e.log[len(e.log)-1]
	switch current := e.state.Episode == e.number; {
	case current && last.Sequence != e.state.Sequence:
		l.miss(PartDecisions, "the last that is stored is %d.%d; there were %d", last.Episode, last.Sequence, e.state.Sequence)
	case (!current || !e.state.Open) && (last.Action != incident.Resolve || last.Left > 0):
		l.miss(PartDecisions, "the incident is over, and no resolve is stored")
	}
}

// rest reports whether a decision tells the same end to others as the one before.
func rest(before, d incident.Decision) bool {
	return before.Left > 0 && d.Action == before.Action && d.Sequence == before.Sequence
}

// counts is what an action adds to the sequence: what a person says of an incident
// is in its log, and no message.
func counts(a incident.Action) int {
	if a == incident.Ack || a == incident.Unack {
		return 0
	}
	return 1
}

// judgeAttempts looks for each message that a decision was committed with, and
// into each message that is stored.
func (e *episode) judgeAttempts(l *Lack, told map[string]delivery.Delivery) {
	for _, d := range e.log {
		for _, to := range d.To {
			if !slices.ContainsFunc(e.deliveries, func(x delivery.Delivery) bool {
				return x.Sequence == d.Sequence && x.Destination == to && x.For == ""
			}) {
				l.miss(PartAttempts, "the message of %s %d.%d to %s is not stored", d.Action, d.Episode, d.Sequence, to)
			}
		}
	}
	for _, d := range e.deliveries {
		if d.In != "" {
			by := told[d.ID]
			if by.ID == "" {
				l.miss(PartAttempts, "message %s, which told %s, is not stored", d.In, d.ID)
				continue
			}
			d = by
		}
		if why := attemptsLack(d); why != "" {
			l.miss(PartAttempts, "message %s: %s", d.ID, why)
		}
	}
}

func attemptsLack(d delivery.Delivery) string {
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

// judgeEvidence looks for what the vendor said, in the messages first: they keep
// it for longer than the observations.
func (m *measure) judgeEvidence(ctx context.Context, e *episode, l *Lack) error {
	var first, last notice.Notice
	for _, d := range e.deliveries {
		if d.Sequence == 1 && says(d.Notice) {
			first = d.Notice
		}
		if says(d.Notice) {
			last = d.Notice
		}
	}
	open, final := e.log[0], e.log[len(e.log)-1]
	if !says(first) && open.Sequence == 1 {
		var err error
		if first, err = m.seen(ctx, e.state.Key, open.Tick); err != nil {
			return err
		}
	}
	if !says(last) && !final.Tick.Equal(open.Tick) {
		var err error
		if last, err = m.seen(ctx, e.state.Key, final.Tick); err != nil {
			return err
		}
	}
	if !says(last) {
		last = first
	}
	if !says(first) {
		l.miss(PartFirst, "neither the open's messages nor an observation of %s are stored", observation.FormatTick(open.Tick))
	}
	if !says(last) {
		l.miss(PartLast, "neither messages nor an observation of %s are stored", observation.FormatTick(final.Tick))
	}
	linked := func(n notice.Notice) bool { return n.Evidence.VendorID != "" || notice.SafeLink(n.Evidence.Link) != "" }
	if !hasNoVendor(open.Source) && !linked(first) && !linked(last) {
		l.miss(PartLink, "the vendor gave neither a link nor an id, or they are not stored")
	}
	return nil
}

// says reports whether a notice holds what a vendor said.
func says(n notice.Notice) bool { return n.Summary != "" || n.Evidence.VendorID != "" }

// seen is the failing observation of a tick in the form of a notice.
func (m *measure) seen(ctx context.Context, key string, tick time.Time) (notice.Notice, error) {
	var n notice.Notice
	err := m.store.Observations(ctx, key, tick, tick, func(o observation.Observation) error {
		m.mu.Lock()
		m.reads.Observations++
		m.mu.Unlock()
		if o.Verdict == observation.Failing {
			n = notice.Notice{Summary: o.Summary, Evidence: notice.FromEvidence(o.Evidence)}
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return n, fmt.Errorf("read the evidence of %s: %w", key, err)
	}
	return n, nil
}

var errEnough = errors.New("enough")
