package main

import (
	"context"

	"github.com/ringonce/ringonce/internal/poll"
	"github.com/ringonce/ringonce/internal/setup"
)

// handler turns the schedule's event into a poll.
type handler struct{ poller *poll.Poller }

func (h handler) handle(ctx context.Context, event setup.Scheduled) error {
	return h.poller.Poll(ctx, event.Time)
}
