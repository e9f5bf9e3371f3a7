// Package deliver is the use case that takes outbox items to their
// destinations: it keeps their order, claims each under a lease, sends, and
// settles the ledger. Sweeping is the same, for what is due or stuck.
package deliver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

// Ledger is what delivering keeps.
type Ledger interface {
	Episode(ctx context.Context, incidentKey string, episode int) ([]delivery.Delivery, error)
	Claim(ctx context.Context, ref delivery.Ref, worker string, now, leaseUntil time.Time) (delivery.Delivery, error)
	Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage) error
	Postpone(ctx context.Context, ref delivery.Ref, until time.Time) error
	Supersede(ctx context.Context, ref delivery.Ref, note string) error
	Due(ctx context.Context, now time.Time, limit int) ([]delivery.Due, error)
	Gate(ctx context.Context, destination string) (time.Time, error)
	CloseGate(ctx context.Context, destination string, until time.Time) error
}

// Sender hands one message to a provider, once.
type Sender interface {
	Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome
}

// Deliverer takes outbox items to their destinations.
type Deliverer struct {
	Config *config.Config
	Ledger Ledger
	// Senders are the channels, by kind.
	Senders map[string]Sender
	// Render makes the bytes of a message that has to say it may be a repeat;
	// any other message was frozen by its decision.
	Render func(channel string, n notice.Notice) ([]byte, error)
	Log    *slog.Logger
	Now    func() time.Time
	// Token names this worker in its claims; Jitter draws from [0, 1).
	Token  func() string
	Jitter func() float64
	// Lease is how long a claim holds; longer than any send may take.
	Lease time.Duration
	// Recheck is when an item that waits for an earlier one is looked at again.
	Recheck time.Duration
	// Margin is the time before the context's deadline in which no send starts.
	Margin time.Duration
}

// Deliver takes up the items, destinations side by side and one destination's
// items in order, and returns an error for each item that the ledger could not
// be kept for, by position. A failed send is no error: the ledger has it, and
// sweep will take it up. Delivering an item again does nothing.
func (x *Deliverer) Deliver(ctx context.Context, items []delivery.Due) map[int]error {
	lanes := make(map[string][]int)
	for i, it := range items {
		lanes[it.Destination] = append(lanes[it.Destination], i)
	}
	var (
		mu     sync.Mutex
		failed = make(map[int]error)
		wg     sync.WaitGroup
	)
	for _, lane := range lanes {
		wg.Go(func() {
			for _, i := range lane {
				if err := x.deliverOne(ctx, items[i]); err != nil {
					mu.Lock()
					failed[i] = fmt.Errorf("deliver %s of incident %s to %s: %w",
						items[i].Action, items[i].IncidentKey, items[i].Destination, err)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return failed
}

func (x *Deliverer) deliverOne(ctx context.Context, it delivery.Due) error {
	if x.outOfTime(ctx) {
		// The item stays due in the ledger; sweep takes it up.
		return nil
	}
	may, err := x.mayGo(ctx, it)
	if err != nil || !may {
		return err
	}
	now := x.Now()
	d, err := x.Ledger.Claim(ctx, it.Ref, x.Token(), now, now.Add(x.Lease))
	if errors.Is(err, delivery.ErrNotClaimable) {
		x.Log.DebugContext(ctx, "delivery", "incident_key", it.IncidentKey, "destination", it.Destination, "state", "not_claimable")
		return nil
	}
	if err != nil {
		return fmt.Errorf("claim it: %w", err)
	}
	return x.sendClaimed(ctx, d)
}

func (x *Deliverer) outOfTime(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || (ok && time.Until(deadline) < x.Margin)
}

// mayGo respects the destination's gate and the order of the incident's
// messages. An item that may not go yet is put back; one that shall never go
// is closed.
func (x *Deliverer) mayGo(ctx context.Context, it delivery.Due) (bool, error) {
	now := x.Now()
	gate, err := x.Ledger.Gate(ctx, it.Destination)
	if err != nil {
		return false, fmt.Errorf("read the gate of the destination: %w", err)
	}
	if now.Before(gate) {
		x.logHeldBack(ctx, it, "gated", gate)
		return false, x.Ledger.Postpone(ctx, it.Ref, gate)
	}
	if it.Sequence <= 1 {
		return true, nil
	}
	siblings, err := x.Ledger.Episode(ctx, it.IncidentKey, it.Episode)
	if err != nil {
		return false, fmt.Errorf("read the incident's other messages: %w", err)
	}
	self := delivery.Delivery{
		IncidentKey: it.IncidentKey, Episode: it.Episode, Sequence: it.Sequence,
		Action: it.Action, Destination: it.Destination,
	}
	place := delivery.PlaceOf(self, siblings, now.Add(x.Recheck))
	switch {
	case place.Superseded != "":
		x.logHeldBack(ctx, it, "superseded", time.Time{})
		return false, x.Ledger.Supersede(ctx, it.Ref, place.Superseded)
	case !place.Go:
		x.logHeldBack(ctx, it, "waits_for_earlier", place.Wait)
		return false, x.Ledger.Postpone(ctx, it.Ref, place.Wait)
	}
	return true, nil
}

func (x *Deliverer) logHeldBack(ctx context.Context, it delivery.Due, state string, until time.Time) {
	x.Log.InfoContext(ctx, "delivery", "incident_key", it.IncidentKey, "episode", it.Episode, "action", string(it.Action),
		"destination", it.Destination, "state", state, "until", until)
}
