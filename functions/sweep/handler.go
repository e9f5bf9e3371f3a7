package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/setup"
)

// handler turns the schedule's event into a sweep. Deliveries are due by the wall
// clock, so that a late schedule does not find less to do. Incidents lapse by the
// scheduled time, as all policy does.
type handler struct {
	log       *slog.Logger
	deliverer *deliver.Deliverer
	lapser    *decide.Lapser
}

func (h handler) handle(ctx context.Context, event setup.Scheduled) error {
	taken, err := h.deliverer.Sweep(ctx)
	level := slog.LevelDebug
	if taken > 0 {
		level = slog.LevelInfo
	}
	h.log.Log(ctx, level, "sweep", "taken", taken)
	return errors.Join(err, h.lapser.Lapse(ctx, event.Time))
}
