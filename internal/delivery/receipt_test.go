package delivery_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Every receipt proves that the provider accepted the message.
func TestReceiptSettlesWhatMayHaveArrived(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	// It comes after midnight and counts on the day of its attempt.
	earlier := now.Add(-13 * time.Hour)
	ended := func(c delivery.Class) []delivery.Attempt {
		return []delivery.Attempt{{Number: 1, Class: c, Ended: earlier}}
	}
	for _, x := range []struct {
		name     string
		state    delivery.State
		attempts []delivery.Attempt
		want     delivery.State
		usage    delivery.Usage
	}{
		{"unknown", delivery.Unknown, ended(delivery.Ambiguous), delivery.Delivered, delivery.Usage{Delivered: 1}},
		{"held", delivery.Held, ended(delivery.Ambiguous), delivery.Delivered, delivery.Usage{Delivered: 1, Held: -1}},
		{"worker lost", delivery.Sending, []delivery.Attempt{{Number: 1}}, delivery.Delivered, delivery.Usage{Delivered: 1, Attempted: 1}},
		{"tried again since", delivery.Pending, append(ended(delivery.Ambiguous), delivery.Attempt{Class: delivery.Temporary, Repeat: true, Ended: earlier}), delivery.Delivered, delivery.Usage{Delivered: 1}},
		{"never sent", delivery.Pending, nil, delivery.Pending, delivery.Usage{}},
		{"refused", delivery.Pending, ended(delivery.Temporary), delivery.Pending, delivery.Usage{}},
		{"delivered", delivery.Delivered, ended(delivery.Accepted), delivery.Delivered, delivery.Usage{}},
		{"dead", delivery.Dead, ended(delivery.Ambiguous), delivery.Dead, delivery.Usage{}},
		{"superseded", delivery.Superseded, nil, delivery.Superseded, delivery.Usage{}},
	} {
		before := delivery.Delivery{ID: "d1-1", State: x.state, Attempts: x.attempts, LeaseOwner: "w", LeaseUntil: now, DueAt: now, CreatedAt: earlier}
		after, news := before.Receive(delivery.Receipt{Fate: delivery.Taken, At: now}, "m-1")
		if after.State != x.want || !news || after.Receipt.Fate != delivery.Taken {
			t.Errorf("%s: %+v, news %v", x.name, after, news)
		}
		x.usage.Day, x.usage.DeliveryID = "2026-01-01", "d1-1"
		if x.usage.Attempted > 0 {
			x.usage.Day = "2026-01-02" // it is found only now
		}
		if u := delivery.ReceiptUsage(before, after); u != x.usage {
			t.Errorf("%s: counts %+v, want %+v", x.name, u, x.usage)
		}
		if settled := x.want == delivery.Delivered && x.state != delivery.Delivered; settled {
			if after.Attempts[0].ProviderID != "m-1" || after.Attempts[0].Class == "" || !after.DueAt.IsZero() || after.LeaseOwner != "" {
				t.Errorf("%s: %+v", x.name, after)
			}
			if before.Attempts[0].ProviderID != "" {
				t.Errorf("%s: the item before has changed: %+v", x.name, before)
			}
		}
	}
}

// A receipt with an earlier or the same fate changes nothing.
func TestReceiptsComeInAnyOrder(t *testing.T) {
	order := []delivery.Fate{delivery.Taken, delivery.Arrived, delivery.Bounced, delivery.Complained}
	for i, first := range order {
		for j, second := range order {
			d, _ := delivery.Delivery{State: delivery.Delivered}.Receive(delivery.Receipt{Fate: first}, "")
			d, news := d.Receive(delivery.Receipt{Fate: second}, "")
			if news != (j > i) || d.Receipt.Fate != order[max(i, j)] {
				t.Errorf("%s, then %s: %s, news %v", first, second, d.Receipt.Fate, news)
			}
			if d.Receipt.Fate.Bad() != (max(i, j) > 1) {
				t.Errorf("%s is bad: %v", d.Receipt.Fate, d.Receipt.Fate.Bad())
			}
		}
	}
}
