package deliver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// view is an item among the other messages of its incident.
type view struct {
	self    delivery.Delivery
	episode []delivery.Delivery
	step    delivery.Step
}

// view reads an incident's messages and what may happen next among those of the
// item's lane. An item that is not there reads as one that is done.
func (l *lane) view(ctx context.Context, ref delivery.Ref, episode int) (view, error) {
	return l.viewAt(ctx, ref, episode, l.Now())
}

func (l *lane) viewAt(ctx context.Context, ref delivery.Ref, episode int, now time.Time) (view, error) {
	all, messages, err := l.messages(ctx, ref, episode)
	if err != nil {
		return view{}, err
	}
	v := view{episode: all, self: delivery.Delivery{State: delivery.Superseded}}
	if at := slices.IndexFunc(all, func(d delivery.Delivery) bool { return d.Ref() == ref }); at >= 0 {
		v.self = all[at]
	}
	if v.episode, messages, err = l.before(ctx, v.self, all, messages); err != nil {
		return view{}, err
	}
	o := delivery.Options{Gathers: l.to.DigestOver > 0, OpenedElsewhere: l.away(messages, v.episode)}
	v.step = delivery.Next(messages, o, now, now.Add(l.Recheck))
	return v, nil
}

// messages reads an episode, and those of its messages that are of the item's
// lane.
func (l *lane) messages(ctx context.Context, ref delivery.Ref, episode int) (all, lane []delivery.Delivery, err error) {
	if all, err = l.Ledger.Episode(ctx, ref.IncidentKey, episode); err != nil {
		return nil, nil, fmt.Errorf("read the incident's messages: %w", err)
	}
	self := delivery.Delivery{}
	for _, d := range all {
		if d.Ref() == ref {
			self = d
		}
	}
	lane, err = l.laneOf(ctx, self, all)
	return all, lane, err
}

// before goes back to the earliest of the incident's episodes, one after the
// other, that has still something to say at this destination: it goes first.
func (l *lane) before(ctx context.Context, self delivery.Delivery, all, lane []delivery.Delivery) (episode, messages []delivery.Delivery, err error) {
	for self.Episode > 1 {
		self.Episode--
		earlier, err := l.Ledger.Episode(ctx, self.IncidentKey, self.Episode)
		if err != nil {
			return nil, nil, fmt.Errorf("read the messages of the incident's episode before: %w", err)
		}
		waiting, err := l.laneOf(ctx, self, earlier)
		if err != nil {
			return nil, nil, err
		}
		if !delivery.Waits(waiting) {
			break
		}
		all, lane = earlier, waiting
	}
	return all, lane, nil
}

// closeAll closes what shall never be sent.
func (l *lane) closeAll(ctx context.Context, v view) error {
	for _, c := range v.step.Close {
		if err := l.close(ctx, v, c); err != nil {
			return fmt.Errorf("close it: %w", err)
		}
	}
	return nil
}

func (l *lane) close(ctx context.Context, v view, c delivery.Closing) error {
	d := c.Delivery
	l.Log.InfoContext(ctx, "delivery", "incident_key", d.IncidentKey, "summary", called(d), "episode", d.Episode, "action", string(d.Action),
		"delivery_id", d.ID, "destination", d.Destination, "state", "superseded", "note", c.Why)
	if d.State == delivery.Sending {
		// Its worker is lost; nobody knows whether it arrived.
		return l.closeLost(ctx, v, d)
	}
	return l.Ledger.Supersede(ctx, d.Ref(), c.Why, l.following(v, c)...)
}

// closeLost closes what a lost worker was sending, unless a look says what became of it.
func (l *lane) closeLost(ctx context.Context, v view, d delivery.Delivery) error {
	now := l.Now()
	held, err := l.Ledger.Claim(ctx, d.Ref(), l.Token(), now, now.Add(l.Lease))
	if errors.Is(err, delivery.ErrNotClaimable) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("claim it: %w", err)
	}
	// It takes no turn: nothing is sent, and what was sent before says nothing of the
	// destination now.
	_, err = l.hold(ctx, held, v, delivery.Gate{})
	return err
}
