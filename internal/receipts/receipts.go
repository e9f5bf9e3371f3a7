// Package receipts is the use case that folds into the ledger what a provider
// says about a message after it has taken it: that it has it, which settles a
// send that may have arrived, or that it has come back.
package receipts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Ledger is what receipts are kept in.
type Ledger interface {
	Locate(ctx context.Context, deliveryID string) (delivery.Ref, error)
	Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error)
	Receive(ctx context.Context, before, after delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error
}

// Receiver folds receipts into the ledger.
type Receiver struct {
	Ledger Ledger
	// Instead, when set, says what is sent to whom because of what became of a
	// message; it is written together with the receipt.
	Instead func(ctx context.Context, returned delivery.Delivery) ([]delivery.Delivery, error)
	Log     *slog.Logger
	Now     func() time.Time
}

// maxTries bounds the races lost against workers that hold the item.
const maxTries = 5

// Receive folds one receipt in. Receiving it again does nothing. providerID is
// the provider's name for the message.
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
	if x.Instead != nil && (settles(before, after) || (after.Receipt.Fate.Bad() && !before.Receipt.Fate.Bad())) {
		if more, err = x.Instead(ctx, after); err != nil {
			return err
		}
	}
	if err := x.Ledger.Receive(ctx, before, after, delivery.ReceiptUsage(before, after), more...); err != nil {
		return err
	}
	x.log(ctx, before, after)
	return nil
}

// settles reports a message of which it was not known whether it arrived.
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
