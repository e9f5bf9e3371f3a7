// Package deliver is the use case that takes outbox items to their
// destinations: it keeps their order and each destination's pace, gathers what
// has piled up, claims each item under a lease, sends, and settles the ledger.
// Sweeping is the same, for what is due or stuck.
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

// Ledger is what delivering keeps.
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

// Looker is a Sender that may find what became of an earlier send, by looking where
// the message would be. It sends nothing. It reports whether there is an outcome:
// where it may not look, or finds nothing, there is none.
type Looker interface {
	Look(ctx context.Context, to config.Destination, d delivery.Delivery) (delivery.Outcome, bool)
}

// Deliverer takes outbox items to their destinations.
type Deliverer struct {
	Config *config.Config
	Ledger Ledger
	// Senders are the channels, by kind.
	Senders map[string]Sender
	// Render makes the bytes of a message that its decision did not freeze: one
	// that has to say it may be a repeat, or that tells more than its own item.
	Render func(channel string, n notice.Notice) ([]byte, error)
	Log    *slog.Logger
	Now    func() time.Time
	// Token names this worker in its claims; Jitter draws from [0, 1).
	Token  func() string
	Jitter func() float64
	// Sleep waits for a destination's turn; without it nothing is waited for.
	// Patience is how long Deliver waits for one; Sweep waits as long as it may.
	Sleep    func(ctx context.Context, d time.Duration) error
	Patience time.Duration
	// Lease is how long a claim holds; longer than any send may take.
	Lease time.Duration
	// Recheck is when an item that waits for an earlier one is looked at again.
	Recheck time.Duration
	// Margin is the time before the context's deadline in which no send starts.
	Margin time.Duration
	// Lanes bounds the destinations served side by side; zero is no bound. With
	// one, they are served in the order of their names.
	Lanes int
}

// Deliver takes up the items, destinations side by side and one destination's
// items in order, and returns an error for each item that the ledger could not
// be kept for, by position. A failed send is no error: the ledger has it, and
// sweep will take it up. Delivering an item again does nothing.
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
