package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/redact"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/silence"
)

func ackCommand() command {
	cmd := command{
		name:      "ack",
		arguments: "--author NAME [--note TEXT] [--undo] KEY",
		summary:   "take an incident on: no reminders until it is over",
		usage: `Notes that a person has taken an open incident on. It reminds nobody until it is
over; its end is told, and its next episode starts anew. KEY is its key, the
beginning of one, the delivery id at the end of a message (or the whole
message), or the vendor's own id. A message of an episode that is over is not
taken for the one that is open.

  --author NAME     who: a name or a login, no mail address; required
  --note TEXT       what the others should know
  --undo            take it back; reminders go on
` + placesUsage,
	}
	cmd.run = func(ctx context.Context, c call) int { return runAck(ctx, cmd, c) }
	return cmd
}

// ackAsked holds the command line's request.
type ackAsked struct {
	incident, author, note string
	undo                   bool
}

func runAck(ctx context.Context, cmd command, c call) int {
	var (
		a  ackAsked
		in stored
	)
	flags := in.places(cmd.name)
	flags.StringVar(&a.author, "author", "", "")
	flags.StringVar(&a.note, "note", "", "")
	flags.BoolVar(&a.undo, "undo", false, "")
	args, code, ok := c.parse(cmd, flags, 1)
	if !ok {
		return code
	}
	if !names(args) {
		return c.misuse(cmd, whichIncident)
	}
	a.incident = args[0]
	if err := silence.CheckAuthor(a.author); err != nil {
		return c.misuse(cmd, "--author: "+err.Error())
	}
	if a.note != "" {
		if err := silence.CheckReason(a.note); err != nil {
			return c.misuse(cmd, "--note: "+err.Error())
		}
	}
	return c.read(ctx, cmd, &in, func(store *dynamo.Store, _ *config.Config) (int, error) { return c.ack(ctx, store, a) })
}

// ackStore is the part of the store that the command needs.
type ackStore interface {
	decide.Store
	explain.Store
}

func (c call) ack(ctx context.Context, store ackStore, a ackAsked) (int, error) {
	found, err := findIncident(ctx, store, a.incident)
	if err != nil {
		return exitProblems, err
	}
	if len(found) > 1 {
		return c.ambiguous("ack", found), nil
	}
	d := &decide.Decider{
		Config: &config.Config{}, Store: store, Log: slog.New(slog.DiscardHandler),
		Now: setup.Now, Sleep: setup.Sleep, Jitter: rand.Float64,
	}
	key := found[0].Key
	if err := current(ctx, store, found[0]); err != nil {
		return exitProblems, err
	}
	if a.undo {
		if _, err = d.Unacknowledge(ctx, key, a.author); err == nil {
			fmt.Fprintf(c.stdout, "%s reminds again.\n", key)
		}
		return exitOK, err
	}
	if _, err = d.Acknowledge(ctx, key, a.author, redact.Text(a.note)); err == nil {
		fmt.Fprintf(c.stdout, "%s is taken on by %s: no reminders until it is over.\n", key, a.author)
	}
	return exitOK, err
}

// current refuses a message of an episode that has ended while another one is open: a
// person who has not read of that one cannot mean it.
func current(ctx context.Context, store ackStore, f explain.Found) error {
	if f.Episode == 0 {
		return nil
	}
	states, err := store.States(ctx, []string{f.Key})
	if err != nil {
		return err
	}
	if s := states[f.Key]; s.Open && s.Episode != f.Episode {
		return fmt.Errorf("message %s is of episode %d of %s, which is over; episode %d is open: give the id of one of its messages, or the key",
			f.DeliveryID, f.Episode, f.Key, s.Episode)
	}
	return nil
}
