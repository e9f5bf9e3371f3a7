// Package deliver is the use case that sends outbox items to their destinations. It
// keeps their order and each destination's pace, combines items that have accumulated
// into digests, claims each item under a lease, sends it, and settles the ledger. Sweep
// does the same for items that are due or stuck.
package deliver

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

// Ledger is the store of outbox items and gates.
type Ledger interface {
	Episode(ctx context.Context, incidentKey string, episode int) ([]delivery.Delivery, error)
	Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error)
	Claim(ctx context.Context, ref delivery.Ref, worker string, now, leaseUntil time.Time) (delivery.Delivery, error)
	Settle(ctx context.Context, d delivery.Delivery, u delivery.Usage, more ...delivery.Delivery) error
	Gather(ctx context.Context, into delivery.Delivery, members []delivery.Delivery) error
	Postpone(ctx context.Context, ref delivery.Ref, until time.Time) error
	Supersede(ctx context.Context, ref delivery.Ref, note string, more ...delivery.Delivery) error
	Due(ctx context.Context, now time.Time, limit int) ([]delivery.Due, error)
	Gate(ctx context.Context, destination string) (delivery.Gate, error)
	CloseGate(ctx context.Context, destination string, until time.Time) error
	TakeTurn(ctx context.Context, destination string, now, next time.Time) (g delivery.Gate, taken bool, err error)
	Refuse(ctx context.Context, destination, code string, seen, now, until time.Time) (g delivery.Gate, done bool, err error)
}

// Sender hands one message to a provider, once.
type Sender interface {
	Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome
}

// Looker is a Sender that can look up the outcome of an earlier send at the provider.
// Look sends nothing. It returns false if it lacks the permission to look, or finds no
// message.
type Looker interface {
	Look(ctx context.Context, to config.Destination, d delivery.Delivery) (delivery.Outcome, bool)
}

// Deliverer sends outbox items to their destinations.
type Deliverer struct {
	Config *config.Config
	Ledger Ledger
	// Senders maps each channel to its sender.
	Senders map[string]Sender
	// Render renders a message that differs from its item's frozen payload: one that
	// is marked as a possible repeat, or that covers several items.
	Render func(channel string, n notice.Notice) ([]byte, error)
	Log    *slog.Logger
	Now    func() time.Time
	// Token names this worker in its claims; Jitter draws from [0, 1).
	Token  func() string
	Jitter func() float64
	// Sleep waits for a destination's turn; if nil, no turn is waited for. Patience
	// is how long Deliver waits for turns; Sweep waits as long as its time allows.
	Sleep    func(ctx context.Context, d time.Duration) error
	Patience time.Duration
	// Lease is how long a claim holds; longer than any send may take.
	Lease time.Duration
	// Recheck is how soon an item that waits for an earlier one is checked again.
	Recheck time.Duration
	// Margin is the time before the context's deadline in which no send starts.
	Margin time.Duration
	// Lanes bounds the destinations served concurrently; zero means no bound. With
	// one, destinations are served in the order of their names.
	Lanes int
}

// Deliver sends the items, destinations concurrently and one destination's items in
// order. It returns an error, by position, for each item whose state could not be read
// or written. A failed send is not an error: the ledger records it, and sweep retries
// it. Delivering an item again does nothing.
func (x *Deliverer) Deliver(ctx context.Context, items []delivery.Due) map[int]error {
	return x.deliver(ctx, items, x.Patience)
}

func (x *Deliverer) deliver(ctx context.Context, items []delivery.Due, patience time.Duration) map[int]error {
	lanes := make(map[string][]int)
	for i, it := range items {
		lanes[it.Destination] = append(lanes[it.Destination], i)
	}
	var (
		mu     sync.Mutex
		failed = make(map[int]error)
		wg     sync.WaitGroup
	)
	slots := make(chan struct{}, cmp.Or(x.Lanes, len(lanes)))
	for _, destination := range slices.Sorted(maps.Keys(lanes)) {
		l := x.lane(destination, patience)
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			for i, err := range l.serve(ctx, items, lanes[destination]) {
				mu.Lock()
				failed[i] = fmt.Errorf("deliver %s of incident %s to %s: %w",
					items[i].Action, items[i].IncidentKey, items[i].Destination, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

func (x *Deliverer) outOfTime(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || (ok && time.Until(deadline) < x.Margin)
}
