package delivery

import (
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Step is what to do next with one incident's items for one destination.
type Step struct {
	// Send is the item to send now, if there is one.
	Send *Delivery
	// Fold are waiting items that the message of Send also covers.
	Fold []Delivery
	// Since are final items that the message of Send also covers: a person resends
	// it after the incident has resolved.
	Since []Delivery
	// Close are items that will never be sent.
	Close []Closing
	// Wait is when to look again if an item waits and none may be sent.
	Wait time.Time
}

// Closing is an item that will never be sent, and the reason.
type Closing struct {
	Delivery Delivery
	Why      string
	// Lost reports that the item is closed because its open was never delivered.
	Lost bool
}

// Lane returns the items of d's episode with the same Destination and For, in order.
// An item and a fallback item for the same destination are in different lanes.
func Lane(d Delivery, episode []Delivery) []Delivery {
	var lane []Delivery
	for _, s := range episode {
		if s.Destination == d.Destination && s.For == d.For && s.Episode == d.Episode {
			lane = append(lane, s)
		}
	}
	slices.SortFunc(lane, func(a, b Delivery) int { return a.Sequence - b.Sequence })
	return lane
}

// Waits reports whether any item of a lane is not final. The incident's next episode
// waits for it: a resolve that arrives after the next open would make an open
// incident look resolved.
func Waits(lane []Delivery) bool {
	return slices.ContainsFunc(lane, func(d Delivery) bool { return !d.State.Final() })
}

// Options are the properties of a lane's destination that Next depends on.
type Options struct {
	// Gathers reports that the destination accepts combined messages.
	Gathers bool
	// OpenedElsewhere reports that the episode's open went to the fallback. Later
	// items of the episode follow it.
	OpenedElsewhere bool
}

// Next decides what to do next with the items of a lane. Items are sent in order. A
// reminder that a later item has overtaken is closed. A resolve is closed if no
// message of the episode has arrived or may have: its reader would not know what has
// ended. A reminder needs no delivered open. An item that a person resends is always
// sent.
//
// If the destination gathers, an unsent open also covers the items that follow it:
// its reminders and its resolve.
//
// recheck is the earliest time to look again at an item that waits for another one.
func Next(lane []Delivery, o Options, now, recheck time.Time) Step {
	var (
		step    Step
		waiting []Delivery
	)
	lost := lostOpen(lane)
	untold := lost != "" && !slices.ContainsFunc(lane, told)
	for i, d := range lane {
		needless := d.Action == incident.Resolve && untold && len(waiting) == 0
		switch {
		case d.State.Final():
		case d.State == Sending && !d.Claimable(now):
			waiting = append(waiting, d)
		case d.Insisted:
			waiting = append(waiting, d)
		case d.Action != incident.Open && lost != "" && (needless || (o.OpenedElsewhere && untold)):
			step.Close = append(step.Close, Closing{d, "its open was never delivered here; see " + lost, true})
		case d.Action == incident.Remind && i < len(lane)-1:
			step.Close = append(step.Close, Closing{d, "overtaken; see " + lane[i+1].ID, false})
		default:
			waiting = append(waiting, d)
		}
	}
	if len(waiting) == 0 {
		return step
	}
	first := waiting[0]
	if !first.Claimable(now) {
		step.Wait = later(first.DueAt, recheck)
		return step
	}
	step.Send = &first
	if o.Gathers && first.Action == incident.Open {
		step.Fold = foldable(first, waiting[1:])
	}
	step.Since = resolveSince(first, lane)
	return step
}

// resolveSince returns the episode's final resolve if a person resends an earlier
// item: no later message will tell the reader that the incident has resolved.
func resolveSince(d Delivery, lane []Delivery) []Delivery {
	if !d.Resent() || d.Notice.Action == incident.Resolve {
		return nil
	}
	if end, over := FinalResolve(lane); over {
		return []Delivery{end}
	}
	return nil
}

// Resent reports whether a person has asked to resend the item and it is waiting.
func (d Delivery) Resent() bool { return d.Insisted && d.State == Pending }

// FinalResolve returns the resolve of a lane if its state is final.
func FinalResolve(lane []Delivery) (end Delivery, over bool) {
	for _, s := range lane {
		if s.Action == incident.Resolve && s.State.Final() {
			return s, true
		}
	}
	return Delivery{}, false
}

// lostOpen returns the id of an open that will never be delivered, or "".
func lostOpen(lane []Delivery) string {
	for _, d := range lane {
		if d.Action == incident.Open && (d.State == Dead || d.State == Silenced || (d.State == Superseded && d.In == "")) {
			return d.ID
		}
	}
	return ""
}

// told reports whether the destination has received the item, or may have.
func told(d Delivery) bool {
	switch {
	case d.State == Delivered, d.State == Held, d.Doubtful():
		return true
	default:
		return d.State == Superseded && d.In != ""
	}
}

// foldable returns the items after an open that its message can cover. It ends at
// the first item that may have arrived: a rewritten message would hide that.
func foldable(open Delivery, rest []Delivery) []Delivery {
	if !Unsent(open) {
		return nil
	}
	for i, d := range rest {
		if !Unsent(d) {
			return rest[:i]
		}
	}
	return rest
}

// Unsent reports whether the item is pending and has certainly not arrived, so that
// its message may still be rewritten or combined with another.
func Unsent(d Delivery) bool { return d.State == Pending && !d.Doubtful() }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
