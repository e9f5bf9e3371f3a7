package faults_test

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/receipts"
)

// fate is what a service says of a message that it has taken.
type fate struct {
	delivery string
	receipt  delivery.Receipt
}

func fateOf(d delivery.Delivery, f fault, now time.Time) fate {
	r := delivery.Receipt{Fate: delivery.Arrived, At: now}
	if f == bounced {
		r.Fate = delivery.Bounced
	}
	return fate{d.ID, r}
}

// receiveAll hands over what was said of messages, each to an invocation of its own.
// What that could not take comes again.
func (w *world) receiveAll() {
	batch := w.receipts
	w.receipts = nil
	batch, w.lateReceipts = handed(w, receipt, batch, w.lateReceipts, "receipts")
	fallbacks := &receipts.Fallbacks{Config: w.cfg, Ledger: w.store, Render: render, Log: w.log, Now: w.clock}
	x := &receipts.Receiver{Ledger: w.store, Fallback: fallbacks.Items, Log: w.log, Now: w.clock}
	for _, f := range batch {
		ctx := invoked(context.Background())
		err := x.Receive(ctx, f.delivery, "provider-id", f.receipt)
		if err == nil {
			w.beat(ctx, observation.BeatReceipts)
		}
		if err != nil || processOf(ctx).dead {
			w.receipts = append(w.receipts, f)
		}
	}
}
