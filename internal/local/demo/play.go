package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/lambdaruntime"
	"github.com/ringonce/ringonce/internal/local/story"
)

// patience bounds the wait for messages that are due again, on a busy machine.
const patience = 2 * time.Minute

// play runs the story: one tick a step, a minute apart by the schedule, in the
// minutes before now.
func (s *show) play(ctx context.Context) error {
	first := time.Now().UTC().Truncate(time.Minute).Add(-time.Duration(len(s.opts.Steps)) * time.Minute)
	for i, step := range s.opts.Steps {
		tick := first.Add(time.Duration(i) * time.Minute)
		s.display.Say("\n%s", s.style.Bold(fmt.Sprintf("%s  %s", tick.Format("15:04"), step.Title)))
		s.scene.set(step)
		if err := s.step(ctx, step, tick); err != nil {
			return fmt.Errorf("tick %s, %q: %w", tick.Format("15:04"), step.Title, err)
		}
	}
	return nil
}

func (s *show) step(ctx context.Context, step story.Step, tick time.Time) error {
	if step.Restart {
		if err := s.killInTheMiddle(ctx, tick); err != nil {
			return err
		}
	} else if err := s.stack.Tick(ctx, tick); err != nil {
		return err
	}
	if step.Again {
		if err := s.stack.Tick(ctx, tick); err != nil {
			return err
		}
	}
	if err := s.stack.Drain(ctx); err != nil {
		return err
	}
	if err := s.stack.Sweep(ctx, time.Now().UTC()); err != nil {
		return err
	}
	return s.stack.Drain(ctx)
}

// killInTheMiddle kills every worker as soon as the host's failure has been written,
// before anybody can have been notified: streams are read in Drain. On a busy machine
// the poll may end before this is noticed.
func (s *show) killInTheMiddle(ctx context.Context, tick time.Time) error {
	s.forgetPolls()
	done := make(chan error, 1)
	go func() { done <- s.stack.Tick(ctx, tick) }()
	over, err := s.awaitPoll(ctx, story.AlertmanagerID, done)
	if err != nil {
		return err
	}
	if err := s.stack.Restart(); err != nil {
		return err
	}
	s.display.Say("%s", s.style.Bad("  killed    every worker process"))
	if !over {
		// The poll was most likely killed too; the next tick observes the failure
		// again.
		<-done
	}
	return nil
}

// awaitPoll waits until a source was polled, and reports whether the whole poll
// was over by then.
func (s *show) awaitPoll(ctx context.Context, source string, done <-chan error) (over bool, err error) {
	for {
		select {
		case err := <-done:
			return true, err
		case <-ctx.Done():
			return false, ctx.Err()
		case polled := <-s.polled:
			if polled == source {
				return false, nil
			}
		}
	}
}

func (s *show) forgetPolls() {
	for {
		select {
		case <-s.polled:
		default:
			return
		}
	}
}

// line receives what a function prints.
func (s *show) line(l lambdaruntime.Line) {
	s.display.Line(l.Function, l.Text)
	var poll struct{ Msg, Source, Outcome string }
	if json.Unmarshal([]byte(l.Text), &poll) == nil && poll.Msg == "poll" && poll.Outcome == "ok" {
		select {
		case s.polled <- poll.Source:
		default:
		}
	}
}

// settle sweeps until every delivery is final, as the schedule would minute by
// minute.
func (s *show) settle(ctx context.Context) error {
	deadline := time.Now().Add(patience)
	for {
		due, open, err := s.nextDue(ctx)
		if err != nil || !open {
			return err
		}
		if time.Now().After(deadline) {
			s.display.Say("%s", s.style.Bad("  some deliveries are not final after "+patience.String()))
			return nil
		}
		if wait := time.Until(due); wait > 0 {
			time.Sleep(min(wait, time.Second))
		}
		if err := s.stack.Sweep(ctx, time.Now().UTC()); err != nil {
			return err
		}
	}
}

// nextDue returns the earliest time at which a delivery that is not final is due.
func (s *show) nextDue(ctx context.Context) (due time.Time, open bool, err error) {
	err = s.store.Deliveries(ctx, func(d delivery.Delivery) error {
		if !d.State.Final() && (!open || d.DueAt.Before(due)) {
			due, open = d.DueAt, true
		}
		return nil
	})
	return due, open, err
}
