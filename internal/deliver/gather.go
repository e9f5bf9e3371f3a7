package deliver

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

const (
	// readers bounds the incidents read at once.
	readers = 16
	// dueAtOnce is how many due items are looked through for one destination.
	dueAtOnce = 2000
)

// gather sends digests as long as more of the lane's items may go at once than
// are told one by one, and of old news that is over as soon as there are two.
func (l *lane) gather(ctx context.Context, items []delivery.Due, places []int) error {
	if l.to.DigestOver <= 0 || len(places) < 2 {
		return nil
	}
	mine := make([]delivery.Due, len(places))
	for i, p := range places {
		mine[i] = items[p]
	}
	for !l.outOfTime(ctx) {
		ready, err := l.ready(ctx, mine)
		if err != nil {
			return err
		}
		if ready = l.enough(ready); len(ready) == 0 {
			return nil
		}
		g, err := l.enter(ctx)
		if err != nil {
			return err
		}
		if ready, err = l.enlarged(ctx, ready, mine); err != nil {
			return err
		}
		if err := l.digest(ctx, ready, g); err != nil && !errors.Is(err, delivery.ErrFenced) {
			return err
		}
	}
	return nil
}

// ready reads the items' incidents and returns what may go now, an incident's
// first message each.
func (l *lane) ready(ctx context.Context, due []delivery.Due) ([]view, error) {
	views := make([]view, len(due))
	errs := make([]error, len(due))
	slots := make(chan struct{}, readers)
	var wg sync.WaitGroup
	for i, it := range due {
		if l.Lanes == 1 {
			views[i], errs[i] = l.view(ctx, it.Ref, it.Episode)
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			views[i], errs[i] = l.view(ctx, it.Ref, it.Episode)
		})
	}
	wg.Wait()
	return gatherable(views), errors.Join(errs...)
}

// gatherable are, once each, views whose message may be told in another one: it waits, has
// certainly not arrived, and is no digest itself. Items for different owners
// are not mixed: who pays is told apart.
func gatherable(views []view) []view {
	seen := make(map[delivery.Ref]bool)
	var out []view
	for _, v := range views {
		d := v.step.Send
		if d == nil || !delivery.Clean(*d) || d.Action == delivery.Digest || d.Action == delivery.Refused || seen[d.Ref()] {
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

func alike(a, b delivery.Delivery) bool {
	return a.Owner == b.Owner && a.CostCenter == b.CostCenter && a.For == b.For && a.Channel == b.Channel
}

// enough returns what is worth a digest: all, when it is more than the
// destination is told one by one; otherwise what is old and over, when there are
// two of it.
func (l *lane) enough(ready []view) []view {
	if len(ready) > l.to.DigestOver {
		return ready
	}
	var over []view
	for _, v := range ready {
		if l.old(*v.step.Send) && finished(v.step.Fold) {
			over = append(over, v)
		}
	}
	if len(over) < 2 {
		return nil
	}
	return over
}

func (l *lane) old(d delivery.Delivery) bool {
	age := l.Config.Delivery.MaxAge
	return age > 0 && l.Now().Sub(d.CreatedAt) > age
}

// enlarged adds what else is due for the destination, so that a storm that
// arrives in small batches is told in few messages.
func (l *lane) enlarged(ctx context.Context, ready []view, mine []delivery.Due) ([]view, error) {
	if len(ready) <= l.to.DigestOver {
		return ready, nil
	}
	all, err := l.Ledger.Due(ctx, l.Now(), dueAtOnce)
	if err != nil {
		return nil, fmt.Errorf("list what else is due: %w", err)
	}
	known := make(map[delivery.Ref]bool)
	for _, it := range mine {
		known[it.Ref] = true
	}
	var more []delivery.Due
	for _, it := range all {
		if it.Destination == l.to.ID && !known[it.Ref] && len(ready)+len(more) < delivery.MaxGathered {
			more = append(more, it)
		}
	}
	others, err := l.ready(ctx, more)
	for _, v := range others {
		if alike(*ready[0].step.Send, *v.step.Send) {
			ready = append(ready, v)
		}
	}
	return gatherable(ready), err
}

// digest makes one message of many and sends it. The items are told in it from
// the moment it is in the outbox: whoever finds it there may send it.
func (l *lane) digest(ctx context.Context, ready []view, g delivery.Gate) error {
	var (
		members []delivery.Delivery
		leads   []delivery.Delivery
		notices []notice.Notice
	)
	for _, v := range ready {
		d, fold := *v.step.Send, v.step.Fold
		if len(members)+1+len(fold) > delivery.MaxGathered {
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
	if err := l.Ledger.Gather(ctx, digest, members); err != nil {
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
// that it comes late. One that may have arrived keeps its bytes.
func (l *lane) rewrite(ctx context.Context, d delivery.Delivery, fold []delivery.Delivery) error {
	late := l.old(d) && d.Notice.DecidedAt.IsZero()
	if !delivery.Clean(d) || (len(fold) == 0 && !late) || d.Action == delivery.Digest {
		return nil
	}
	d.Notice = together(d, fold)
	if l.old(d) {
		d.Notice.DecidedAt = d.CreatedAt
	}
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

// finished reports that an incident's recovery is among what followed its open.
func finished(fold []delivery.Delivery) bool {
	for _, d := range fold {
		if d.Action == incident.Resolve {
			return true
		}
	}
	return false
}
