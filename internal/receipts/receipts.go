// Package receipts is the use case that folds a provider's later reports about a message
// into the ledger: that it was accepted, which settles an ambiguous send, or that it
// bounced.
package receipts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Ledger is the store of deliveries.
type Ledger interface {
	Locate(ctx context.Context, deliveryID string) (delivery.Ref, error)
	Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error)
	Receive(ctx context.Context, before, after delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error
}

// Receiver folds receipts into the ledger.
type Receiver struct {
	Ledger Ledger
	// Fallback, if set, returns the items to send to a fallback because of a receipt.
	// They are written in the same transaction.
	Fallback func(ctx context.Context, d delivery.Delivery) ([]delivery.Delivery, error)
	Log      *slog.Logger
	Now      func() time.Time
}

// maxTries bounds the retries after races with workers that hold the item.
const maxTries = 5

// Receive folds one receipt into the ledger. Receiving it again does nothing. providerID
// is the provider's id of the message.
func (x *Receiver) Receive(ctx context.Context, deliveryID, providerID string, r delivery.Receipt) error {
	ref, err := x.Ledger.Locate(ctx, deliveryID)
	if err != nil {
		return fmt.Errorf("receive that delivery %s is %s: %w", deliveryID, r.Fate, err)
	}
	for try := 1; ; try++ {
		err := x.fold(ctx, ref, providerID, r)
		if err == nil || !errors.Is(err, delivery.ErrFenced) || try == maxTries {
			if err != nil {
				err = fmt.Errorf("receive that delivery %s is %s: %w", deliveryID, r.Fate, err)
			}
			return err
		}
	}
}

func (x *Receiver) fold(ctx context.Context, ref delivery.Ref, providerID string, r delivery.Receipt) error {
	before, err := x.Ledger.Delivery(ctx, ref)
	if err != nil {
		return err
	}
	after, news := before.Receive(r, providerID)
	if !news {
		return nil
	}
	var more []delivery.Delivery
	if x.Fallback != nil && (settles(before, after) || (after.Receipt.Fate.Bad() && !before.Receipt.Fate.Bad())) {
		if more, err = x.Fallback(ctx, after); err != nil {
			return err
		}
	}
	if err := x.Ledger.Receive(ctx, before, after, delivery.ReceiptUsage(before, after), more...); err != nil {
		return err
	}
	x.log(ctx, before, after)
	return nil
}

// settles reports whether a receipt proves the arrival of a message that was not known to
// be delivered.
func settles(before, after delivery.Delivery) bool {
	return before.State != delivery.Delivered && after.State == delivery.Delivered
}

func (x *Receiver) log(ctx context.Context, before, after delivery.Delivery) {
	level := slog.LevelInfo
	if after.Receipt.Fate.Bad() {
		level = slog.LevelError
	}
	x.Log.Log(ctx, level, "receipt",
		"incident_key", after.IncidentKey, "episode", after.Episode, "action", string(after.Action),
		"delivery_id", after.ID, "destination", after.Destination, "channel", after.Channel, "owner", after.Owner,
		"fate", string(after.Receipt.Fate), "code", after.Receipt.Code,
		"state", string(after.State), "state_before", string(before.State))
}
