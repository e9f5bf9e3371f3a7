package main

import (
	"context"
	"log/slog"

	"github.com/ringonce/ringonce/internal/emf"
	"github.com/ringonce/ringonce/internal/heartbeat"
	"github.com/ringonce/ringonce/internal/setup"
)

// handler turns the schedule's event into a check, and its result into metrics, a log
// line and a ping.
type handler struct {
	log     *slog.Logger
	metrics *emf.Recorder
	checker *heartbeat.Checker
	// ping pings the dead-man's switch outside the account; nil for none.
	ping func(ctx context.Context, problems []string) error
}

// handle never fails: the metric that the alarm watches reports what is not well.
func (h handler) handle(ctx context.Context, event setup.Scheduled) error {
	r := h.checker.Check(ctx, event.Time)
	record(h.metrics, r)
	level := slog.LevelInfo
	if !r.OK() {
		level = slog.LevelError
	}
	h.log.Log(ctx, level, "heartbeat", "ok", r.OK(), "settling", r.Settling, "problems", r.Problems)
	if h.ping == nil {
		return nil
	}
	if err := h.ping(ctx, r.Problems); err != nil {
		h.metrics.Add(emf.PingFailures, 1, nil)
		h.log.WarnContext(ctx, "the dead-man's switch was not reached", "error", err)
	}
	return nil
}

func record(m *emf.Recorder, r heartbeat.Report) {
	well := 0.0
	if r.OK() {
		well = 1
	}
	for source, age := range r.PollAge {
		m.Add(emf.PollAge, age.Seconds(), emf.Of{emf.Source: source})
	}
	for name, value := range map[emf.Name]float64{
		emf.Heartbeat:         well,
		emf.DecideLag:         r.DecideLag.Seconds(),
		emf.DeliverLag:        r.DeliverLag.Seconds(),
		emf.SweepAge:          r.SweepAge.Seconds(),
		emf.Undelivered:       float64(r.Undelivered),
		emf.OldestUndelivered: r.OldestUndelivered.Seconds(),
		emf.DeadToday:         float64(r.DeadToday),
		emf.HeldToday:         float64(r.HeldToday),
		emf.FailureQueueDepth: float64(r.FailureQueueDepth),
	} {
		m.Add(name, value, nil)
	}
}
