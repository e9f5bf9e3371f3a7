package memory

import (
	"context"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Gate returns the gate of a destination; the zero Gate when there is none.
func (s *Store) Gate(ctx context.Context, destination string) (delivery.Gate, error) {
	return do(ctx, s, "Gate", destination, func() (delivery.Gate, error) { return s.gates[destination], nil })
}

// CloseGate forbids sends to a destination before the given time. A gate that is
// closed for longer stays so.
func (s *Store) CloseGate(ctx context.Context, destination string, until time.Time) error {
	return s.run(ctx, "CloseGate", destination, func() error {
		if g := s.gates[destination]; until.After(g.ClosedUntil) {
			g.ClosedUntil = until
			s.gates[destination] = g
		}
		return nil
	})
}

// TakeTurn takes the turn to send one message to a destination and sets when the next
// one may be sent, unless the gate is closed or the turn is not due yet. It returns
// the resulting gate, and whether the turn was taken.
func (s *Store) TakeTurn(ctx context.Context, destination string, now, next time.Time) (g delivery.Gate, taken bool, err error) {
	g, err = do(ctx, s, "TakeTurn", destination, func() (delivery.Gate, error) {
		g := s.gates[destination]
		if taken = !now.Before(g.TurnAt) && !now.Before(g.ClosedUntil); taken {
			g.TurnAt = next
			s.gates[destination] = g
		}
		return g, nil
	})
	return g, taken && err == nil, err
}

// Refuse records that a destination refuses everything with the given code, and may
// be tried again at until; an empty code records that it takes messages again. It
// writes only while the gate's RefusedUntil is still seen, the value that the caller
// read, and returns the resulting gate and whether it wrote.
func (s *Store) Refuse(ctx context.Context, destination, code string, seen, now, until time.Time) (g delivery.Gate, done bool, err error) {
	g, err = do(ctx, s, "Refuse", destination, func() (delivery.Gate, error) {
		g := s.gates[destination]
		if done = g.RefusedUntil.Equal(seen); !done {
			return g, nil
		}
		switch {
		case code == "":
			g.RefusedSince, g.RefusedUntil = time.Time{}, time.Time{}
		case !g.Refuses():
			g.RefusedSince, g.RefusedUntil = now, until
		default:
			g.RefusedUntil = until
		}
		g.RefusedCode = code
		s.gates[destination] = g
		return g, nil
	})
	return g, done && err == nil, err
}
