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
	// dueAtOnce is how many due items are looked through for one destination.
	dueAtOnce = 5000
)

// gather sends digests as long as more of the destination's items may go at once
// than it is told one by one. With a single item it does not look for others.
func (l *lane) gather(ctx context.Context, mine []delivery.Due) error {
	if l.to.DigestOver <= 0 || len(mine) < 2 {
		return nil
	}
	for !l.outOfTime(ctx) {
		ready, err := l.ready(ctx, mine, l.Now())
		if err != nil || len(ready) == 0 {
			return err
		}
		others, err := l.others(ctx, mine, l.Now())
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

// gatherWith takes a turn, and only then reads what else is due: in a storm many
// workers want to gather, and one at a time may.
func (l *lane) gatherWith(ctx context.Context, ready []view, others []delivery.Due) (done bool, err error) {
	g, err := l.enter(ctx)
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

// others are the items of this destination, but the given ones, that are due at
// the given time.
func (l *lane) others(ctx context.Context, mine []delivery.Due, at time.Time) ([]delivery.Due, error) {
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

// ready reads the items' incidents and returns what may go at the given time, an
// incident's first message each. Incidents that cannot be read are left out: it
// is told of each when its own turn comes.
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

// gatherable are, once each, views whose message may be told in another one: it waits, has
// certainly not arrived, and is no digest itself. Items for different owners
// are not mixed: who pays is told apart. An end of which the fallback has to be
// told as well stands alone.
func gatherable(views []view) []view {
	seen := make(map[delivery.Ref]bool)
	var out []view
	for _, v := range views {
		d := v.step.Send
		if d == nil || !delivery.Unsent(*d) || !tellable(v) || seen[d.Ref()] {
			continue
		}
		if first := out; len(first) > 0 && !alike(*first[0].step.Send, *d) {
			continue
		}
		seen[d.Ref()] = true
		out = append(out, v)
	}
	return out
}

func tellable(v view) bool {
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

// digest makes one message of many and sends it. The items are told in it from
// the moment it is in the outbox: whoever finds it there may send it.
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
		notices = append(notices, together(d, fold))
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
		// Another worker has taken up some of them; what is left shows next.
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

func together(d delivery.Delivery, fold []delivery.Delivery) notice.Notice {
	since := make([]notice.Notice, len(fold))
	for i, f := range fold {
		since[i] = f.Notice
	}
	return notice.Together(d.Notice, since)
}

// rewrite freezes a message anew that is to tell more than its own item, or
// that it comes late. One that may have arrived keeps its bytes, unless it would tell
// what is no longer so.
func (l *lane) rewrite(ctx context.Context, d delivery.Delivery, fold, since []delivery.Delivery) error {
	if d.Action == delivery.Digest {
		return l.renew(ctx, d)
	}
	late := l.old(d) && d.Notice.DecidedAt.IsZero()
	if len(since) == 0 && (!delivery.Unsent(d) || (len(fold) == 0 && !late)) {
		return nil
	}
	d.Notice = together(d, append(fold[:len(fold):len(fold)], since...))
	if l.old(d) {
		d.Notice.DecidedAt = d.CreatedAt
	}
	return l.refreeze(ctx, d, fold)
}

// refreeze writes a message anew, which tells the given items as well.
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
