package main

import (
	"context"
	"log/slog"

	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/setup"
)

// handler turns the schedule's event into a sweep. What is due is judged by
// the wall clock: a schedule that fires late must not find less to do.
type handler struct {
	log       *slog.Logger
	deliverer *deliver.Deliverer
}

func (h handler) handle(ctx context.Context, _ setup.Scheduled) error {
	taken, err := h.deliverer.Sweep(ctx)
	if taken > 0 {
		h.log.InfoContext(ctx, "sweep", "taken", taken)
	}
	return err
}
