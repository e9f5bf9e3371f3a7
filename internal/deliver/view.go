package deliver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// view is an item with the other items of its incident.
type view struct {
	self delivery.Delivery
	// episode is all items of the earliest episode that still has items to send.
	episode []delivery.Delivery
	// step is what to do next in the item's lane of that episode.
	step delivery.Step
}

// view reads an incident's items and decides the next step of the item's lane. An item
// that does not exist is returned as superseded.
func (l *lane) view(ctx context.Context, ref delivery.Ref, episode int) (view, error) {
	return l.viewAt(ctx, ref, episode, l.Now())
}

func (l *lane) viewAt(ctx context.Context, ref delivery.Ref, episode int, now time.Time) (view, error) {
	all, lane, err := l.episodeAndLane(ctx, ref, episode)
	if err != nil {
		return view{}, err
	}
	v := view{episode: all, self: delivery.Delivery{State: delivery.Superseded}}
	if at := slices.IndexFunc(all, func(d delivery.Delivery) bool { return d.Ref() == ref }); at >= 0 {
		v.self = all[at]
	}
	if v.episode, lane, err = l.earliestWaiting(ctx, v.self, all, lane); err != nil {
		return view{}, err
	}
	o := delivery.Options{Gathers: l.to.DigestOver > 0, OpenedElsewhere: l.openedElsewhere(lane, v.episode)}
	v.step = delivery.Next(lane, o, now, now.Add(l.Recheck))
	return v, nil
}

// episodeAndLane reads all items of an episode, and those of the item's lane.
func (l *lane) episodeAndLane(ctx context.Context, ref delivery.Ref, episode int) (all, lane []delivery.Delivery, err error) {
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

// earliestWaiting goes back from the item's episode while the one before it still has
// items to send in this lane, and returns the earliest such episode and its lane. That
// one is sent first.
func (l *lane) earliestWaiting(ctx context.Context, self delivery.Delivery, all, lane []delivery.Delivery) (episode, itsLane []delivery.Delivery, err error) {
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

// closeAll closes the items that will never be sent.
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
	l.Log.InfoContext(ctx, "delivery", "incident_key", d.IncidentKey, "summary", incidentName(d), "episode", d.Episode, "action", string(d.Action),
		"delivery_id", d.ID, "destination", d.Destination, "state", "superseded", "note", c.Why)
	if d.State == delivery.Sending {
		// Its worker is lost, so it may have arrived.
		return l.closeLost(ctx, v, d)
	}
	return l.Ledger.Supersede(ctx, d.Ref(), c.Why, l.followOpen(v, c)...)
}

// closeLost claims an item that a lost worker was sending, and holds it or settles it by
// looking it up.
func (l *lane) closeLost(ctx context.Context, v view, d delivery.Delivery) error {
	now := l.Now()
	item, err := l.Ledger.Claim(ctx, d.Ref(), l.Token(), now, now.Add(l.Lease))
	if errors.Is(err, delivery.ErrNotClaimable) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("claim it: %w", err)
	}
	// No turn and no gate: nothing is sent, and an earlier send says nothing about the
	// destination now.
	c := claim{lane: l, item: item, episode: v.episode}
	_, err = c.hold(ctx)
	return err
}
