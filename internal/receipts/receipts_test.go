package receipts_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/receipts"
)

// ledger holds one item; fenced is how many writes lose against another worker.
type ledger struct {
	item   delivery.Delivery
	more   []delivery.Delivery
	fenced int
	writes int
}

func (l *ledger) Locate(context.Context, string) (delivery.Ref, error) { return l.item.Ref(), nil }

func (l *ledger) Delivery(context.Context, delivery.Ref) (delivery.Delivery, error) {
	return l.item, nil
}

func (l *ledger) Receive(_ context.Context, _, after delivery.Delivery, _ delivery.Usage, more ...delivery.Delivery) error {
	l.writes++
	if l.fenced > 0 {
		l.fenced--
		return delivery.ErrFenced
	}
	l.item, l.more = after, append(l.more, more...)
	return nil
}

func receiver(l *ledger) *receipts.Receiver {
	return &receipts.Receiver{
		Ledger: l, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: time.Now,
		Fallback: func(_ context.Context, d delivery.Delivery) ([]delivery.Delivery, error) {
			d.Destination = "fallback"
			return []delivery.Delivery{d}, nil
		},
	}
}

// A bounced message goes to the fallback once, whatever receipts follow.
func TestReturnedMessagesAreToldElsewhereOnce(t *testing.T) {
	for _, x := range []struct {
		fates []delivery.Fate
		want  int
	}{
		{[]delivery.Fate{delivery.Taken, delivery.Arrived}, 0},
		{[]delivery.Fate{delivery.Arrived, delivery.Bounced, delivery.Bounced, delivery.Complained}, 1},
		{[]delivery.Fate{delivery.Complained, delivery.Bounced}, 1},
		{[]delivery.Fate{delivery.Rejected}, 1},
	} {
		l := &ledger{item: delivery.Delivery{ID: "d1-1", State: delivery.Delivered}}
		for _, f := range x.fates {
			if err := receiver(l).Receive(t.Context(), "d1-1", "m", delivery.Receipt{Fate: f}); err != nil {
				t.Fatal(err)
			}
		}
		if len(l.more) != x.want {
			t.Errorf("%v: told elsewhere %d times, want %d", x.fates, len(l.more), x.want)
		}
	}
}

// A receipt that races with a worker's write is folded into the item as the worker wrote
// it.
func TestLostRacesAreTriedAgain(t *testing.T) {
	for fenced, want := range map[int]error{0: nil, 2: nil, 100: delivery.ErrFenced} {
		l := &ledger{item: delivery.Delivery{ID: "d1-1", State: delivery.Delivered}, fenced: fenced}
		err := receiver(l).Receive(t.Context(), "d1-1", "m", delivery.Receipt{Fate: delivery.Bounced})
		if !errors.Is(err, want) || l.writes > 5 || (want == nil && len(l.more) != 1) {
			t.Errorf("%d lost races: %v, %d writes, %d told elsewhere", fenced, err, l.writes, len(l.more))
		}
	}
}
