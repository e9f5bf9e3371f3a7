package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
)

func deliveriesCommand() command {
	cmd := command{
		name:      "deliveries",
		arguments: "[--held] [--dead] [--resend ID | --close ID]",
		summary:   "list messages that are held or dead, and resend or close one",
		usage: `Lists messages that nothing sends by itself any more: held ones may have
arrived, and are not sent again by policy; dead ones were refused or given up.

  --held            only held ones
  --dead            only dead ones
  --status STATE    those in another state: pending, sending, unknown,
                    delivered, superseded, silenced
  --destination ID  only this destination's
  --resend ID       send this one again at the next sweep; if it may have
                    arrived, it says so
  --close ID        leave it at that, and list it no more

A list reads the whole outbox, 1 MB a request; an id is two reads.
` + placesUsage,
	}
	cmd.run = func(ctx context.Context, c call) int { return runDeliveries(ctx, cmd, c) }
	return cmd
}

// ledger is the part of the store that the command needs.
type ledger interface {
	Deliveries(ctx context.Context, yield func(delivery.Delivery) error) error
	Locate(ctx context.Context, deliveryID string) (delivery.Ref, error)
	Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error)
	Resend(ctx context.Context, ref delivery.Ref, now time.Time) error
	CloseStopped(ctx context.Context, ref delivery.Ref, note string) error
}

// asked holds the command line's request.
type asked struct {
	states        []delivery.State
	destination   string
	resend, close string
}

var allStates = []delivery.State{
	delivery.Pending, delivery.Sending, delivery.Unknown, delivery.Delivered, delivery.Held, delivery.Superseded, delivery.Dead, delivery.Silenced,
}

func runDeliveries(ctx context.Context, cmd command, c call) int {
	var (
		a          asked
		held, dead bool
		state      string
		in         stored
	)
	flags := in.places(cmd.name)
	flags.BoolVar(&held, "held", false, "")
	flags.BoolVar(&dead, "dead", false, "")
	flags.StringVar(&state, "status", "", "")
	flags.StringVar(&a.destination, "destination", "", "")
	flags.StringVar(&a.resend, "resend", "", "")
	flags.StringVar(&a.close, "close", "", "")
	if _, code, ok := c.parse(cmd, flags, 0); !ok {
		return code
	}
	var err error
	if a.states, err = statesOf(held, dead, state); err != nil {
		return c.misuse(cmd, err.Error())
	}
	if a.resend != "" && a.close != "" {
		return c.misuse(cmd, "a message is either resent or closed")
	}
	return c.read(ctx, cmd, &in, func(store *dynamo.Store, _ *config.Config) (int, error) {
		return exitOK, a.do(ctx, store, c.stdout, time.Now().UTC())
	})
}

func statesOf(held, dead bool, state string) ([]delivery.State, error) {
	var states []delivery.State
	if held {
		states = append(states, delivery.Held)
	}
	if dead {
		states = append(states, delivery.Dead)
	}
	if state != "" {
		if !slices.Contains(allStates, delivery.State(state)) {
			return nil, fmt.Errorf("there is no state %q; use one of %s", state, strings.Join(stateNames(allStates), ", "))
		}
		states = append(states, delivery.State(state))
	}
	if len(states) == 0 {
		states = []delivery.State{delivery.Held, delivery.Dead}
	}
	return states, nil
}

func (a asked) do(ctx context.Context, store ledger, out io.Writer, now time.Time) error {
	found, err := a.find(ctx, store)
	if err != nil {
		return err
	}
	id := a.resend + a.close
	if id == "" {
		if len(found) == 0 {
			_, err = fmt.Fprintln(out, a.nothing())
			return err
		}
		return listDeliveries(out, found)
	}
	ref := found[0].Ref()
	if a.resend != "" {
		err = store.Resend(ctx, ref, now)
	} else {
		err = store.CloseStopped(ctx, ref, "closed by hand at "+now.Format(time.RFC3339))
	}
	if err == nil {
		fmt.Fprintf(out, "%s is %s.\n", id, map[bool]string{true: "due again; the next sweep sends it", false: "closed"}[a.resend != ""])
	}
	return err
}

// find returns the deliveries that were asked for, oldest first; for one id, that
// one.
func (a asked) find(ctx context.Context, store ledger) ([]delivery.Delivery, error) {
	if id := a.resend + a.close; id != "" {
		return one(ctx, store, id)
	}
	var found []delivery.Delivery
	err := store.Deliveries(ctx, func(d delivery.Delivery) error {
		switch {
		case !slices.Contains(a.states, d.State):
		case a.destination != "" && d.Destination != a.destination:
		default:
			found = append(found, d)
		}
		return nil
	})
	slices.SortFunc(found, func(a, b delivery.Delivery) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return found, err
}

// nothing says what there is none of.
func (a asked) nothing() string {
	which := strings.Join(stateNames(a.states), " or ")
	if a.destination != "" {
		return "No message to " + a.destination + " is " + which + "."
	}
	return "No message is " + which + "."
}

func stateNames(states []delivery.State) []string {
	names := make([]string, len(states))
	for i, st := range states {
		names[i] = string(st)
	}
	return names
}

// one finds a message that is held or dead by its id, with two reads.
func one(ctx context.Context, store ledger, id string) ([]delivery.Delivery, error) {
	ref, err := store.Locate(ctx, id)
	var d delivery.Delivery
	if err == nil {
		d, err = store.Delivery(ctx, ref)
	}
	switch {
	case errors.Is(err, delivery.ErrNotFound):
		return nil, fmt.Errorf("there is no message %s: give the delivery id at its end, d1-…; or it has expired", id)
	case err != nil:
		return nil, err
	case !d.Stopped():
		return nil, fmt.Errorf("message %s is %s: only what is held or dead can be resent or closed", id, d.State)
	}
	return []delivery.Delivery{d}, nil
}

func listDeliveries(out io.Writer, found []delivery.Delivery) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "delivery\tstate\tcreated\taction\tdestination\ttries\tlast answer\tincident\tnote")
	for _, d := range found {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", d.ID, d.State, d.CreatedAt.UTC().Format(time.RFC3339),
			d.Action, d.Destination, d.Tries(), lastAnswer(d), d.IncidentKey, d.Note)
	}
	return w.Flush()
}

func lastAnswer(d delivery.Delivery) string {
	if len(d.Attempts) == 0 {
		return "none"
	}
	last := d.Attempts[len(d.Attempts)-1]
	answer := string(last.Class)
	if last.Status > 0 {
		answer += fmt.Sprintf(" %d", last.Status)
	}
	return strings.TrimSpace(answer + " " + last.Code)
}
