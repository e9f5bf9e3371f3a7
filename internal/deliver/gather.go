package deliver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

const (
	// readers bounds the incidents read at once.
	readers = 16
	// dueAtOnce is how many due items are listed to find those of one destination.
	dueAtOnce = 5000
)

// gather sends digests while more than digest_over items are ready for the destination.
// Given a single item it does not look for others.
func (l *lane) gather(ctx context.Context, mine []delivery.Due) error {
	if l.to.DigestOver <= 0 || len(mine) < 2 {
		return nil
	}
	for !l.outOfTime(ctx) {
		ready, err := l.ready(ctx, mine, l.Now())
		if err != nil || len(ready) == 0 {
			return err
		}
		others, err := l.otherDue(ctx, mine, l.Now())
		if err != nil {
			return err
		}
		if len(ready)+len(others) <= l.to.DigestOver {
			return nil
		}
		if done, err := l.gatherWith(ctx, ready, others); err != nil || done {
			return err
		}
	}
	return nil
}

// gatherWith takes a turn before it reads the other due items: in a storm many workers
// try to gather, and the turn admits one at a time.
func (l *lane) gatherWith(ctx context.Context, ready []view, others []delivery.Due) (done bool, err error) {
	g, err := l.awaitTurn(ctx)
	if err != nil {
		return false, err
	}
	room := max(0, delivery.MaxGathered-len(ready))
	more, err := l.ready(ctx, others[:min(room, len(others))], l.Now())
	if err != nil {
		return false, err
	}
	ready = gatherable(append(ready, more...))
	if len(ready) <= l.to.DigestOver {
		_, err = l.sendNow(ctx, ready[0], g)
		return true, err
	}
	return false, l.digest(ctx, ready, g)
}

// otherDue returns the items of this destination that are due at the given time, without
// the given ones.
func (l *lane) otherDue(ctx context.Context, mine []delivery.Due, at time.Time) ([]delivery.Due, error) {
	all, err := l.Ledger.Due(ctx, at, dueAtOnce)
	if err != nil {
		return nil, fmt.Errorf("list what else is due: %w", err)
	}
	known := make(map[delivery.Ref]bool)
	for _, it := range mine {
		known[it.Ref] = true
	}
	return slices.DeleteFunc(all, func(it delivery.Due) bool { return it.Destination != l.to.ID || known[it.Ref] }), nil
}

// ready reads the items' incidents and returns the next item of each that may be
// combined at the given time. Incidents that cannot be read are omitted; their error is
// reported when their own item is delivered.
func (l *lane) ready(ctx context.Context, due []delivery.Due, at time.Time) ([]view, error) {
	views := make([]view, len(due))
	errs := make([]error, len(due))
	slots := make(chan struct{}, readers)
	var wg sync.WaitGroup
	for i, it := range due {
		if l.Lanes == 1 {
			views[i], errs[i] = l.viewAt(ctx, it.Ref, it.Episode, at)
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			views[i], errs[i] = l.viewAt(ctx, it.Ref, it.Episode, at)
		})
	}
	wg.Wait()
	views = slices.DeleteFunc(views, func(v view) bool { return v.episode == nil })
	if len(views) == 0 {
		return nil, errors.Join(errs...)
	}
	return gatherable(views), nil
}

// gatherable returns the views whose next item may be combined in a digest, without
// duplicates. The item must be unsent and not a digest itself. All items have the owner
// of the first, since costs are charged per owner. A resolve that the fallback must
// also receive is excluded.
func gatherable(views []view) []view {
	seen := make(map[delivery.Ref]bool)
	var out []view
	for _, v := range views {
		d := v.step.Send
		if d == nil || !delivery.Unsent(*d) || !digestible(v) || seen[d.Ref()] {
			continue
		}
		if len(out) > 0 && !alike(*out[0].step.Send, *d) {
			continue
		}
		seen[d.Ref()] = true
		out = append(out, v)
	}
	return out
}

func digestible(v view) bool {
	switch v.step.Send.Action {
	case delivery.Digest, delivery.Refused, delivery.Restored:
		return false
	default:
		return !delivery.FallbackAwaitsResolve(*v.step.Send, v.episode)
	}
}

func alike(a, b delivery.Delivery) bool {
	return a.Owner == b.Owner && a.CostCenter == b.CostCenter && a.For == b.For && a.Channel == b.Channel
}

// digest combines many items into one digest and sends it. Once the digest is in the
// outbox it covers the items, and any worker may send it.
func (l *lane) digest(ctx context.Context, ready []view, g delivery.Gate) error {
	var (
		members []delivery.Delivery
		leads   []delivery.Delivery
		notices []notice.Notice
		bytes   int
	)
	slices.SortFunc(ready, func(a, b view) int {
		x, y := a.step.Send, b.step.Send
		return cmp.Or(x.Notice.Since.Compare(y.Notice.Since), cmp.Compare(x.IncidentKey, y.IncidentKey))
	})
	for _, v := range ready {
		d, fold := *v.step.Send, v.step.Fold
		for _, m := range append(fold[:len(fold):len(fold)], d) {
			bytes += m.Size()
		}
		if len(members)+1+len(fold) > delivery.MaxGathered || (len(members) > 0 && bytes > delivery.MaxBytes) {
			break
		}
		members = append(append(members, d), fold...)
		leads = append(leads, d)
		notices = append(notices, combined(d, fold))
	}
	digest := delivery.NewDigest(members, l.Now())
	digest.Channel = l.to.Channel
	digest.Notice = notice.Digest(digest.ID, notices)
	payload, err := l.Render(digest.Channel, digest.Notice)
	if err != nil {
		return fmt.Errorf("write the digest of %d messages: %w", len(members), err)
	}
	digest.Payload = payload
	err = l.Ledger.Gather(ctx, digest, members)
	if errors.Is(err, delivery.ErrFenced) {
		// Another worker has claimed some of the items; the next round sees the rest.
		return nil
	}
	if err != nil {
		return fmt.Errorf("gather %d messages in one: %w", len(members), err)
	}
	l.Log.InfoContext(ctx, "delivery", "delivery_id", digest.ID, "destination", l.to.ID, "action", string(delivery.Digest),
		"state", "gathered", "items", len(members), "incidents", len(leads))
	_, err = l.sendNow(ctx, view{self: digest, episode: []delivery.Delivery{digest}, step: delivery.Step{Send: &digest}}, g)
	return err
}

// combined returns an item's notice, which also covers the given items.
func combined(d delivery.Delivery, fold []delivery.Delivery) notice.Notice {
	since := make([]notice.Notice, len(fold))
	for i, f := range fold {
		since[i] = f.Notice
	}
	return notice.Together(d.Notice, since)
}

// rewrite re-renders a message that covers further items or must say that it is late. A
// message that may have arrived keeps its bytes, unless they would be out of date.
func (l *lane) rewrite(ctx context.Context, d delivery.Delivery, fold, since []delivery.Delivery) error {
	if d.Action == delivery.Digest {
		return l.renewDigest(ctx, d)
	}
	late := l.stale(d) && d.Notice.DecidedAt.IsZero()
	if len(since) == 0 && (!delivery.Unsent(d) || (len(fold) == 0 && !late)) {
		return nil
	}
	d.Notice = combined(d, append(fold[:len(fold):len(fold)], since...))
	if l.stale(d) {
		d.Notice.DecidedAt = d.CreatedAt
	}
	return l.refreeze(ctx, d, fold)
}

// refreeze renders and stores an item's message, which also covers the given items.
func (l *lane) refreeze(ctx context.Context, d delivery.Delivery, fold []delivery.Delivery) error {
	payload, err := l.Render(l.to.Channel, d.Notice)
	if err != nil {
		return fmt.Errorf("write it anew: %w", err)
	}
	d.Payload = payload
	if err := l.Ledger.Gather(ctx, d, fold); err != nil {
		return fmt.Errorf("tell it with what followed it: %w", err)
	}
	return nil
}
