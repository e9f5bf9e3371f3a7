package delivery

import (
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Step is what may happen next among one incident's messages to one
// destination.
type Step struct {
	// Send is the item that may be sent now, if there is one.
	Send *Delivery
	// Fold are waiting items that the message of Send shall tell as well.
	Fold []Delivery
	// Since are finished items that the message of Send shall tell as well: a person
	// sends it again after its incident is over.
	Since []Delivery
	// Close are items that shall never be sent.
	Close []Closing
	// Wait is when to look again, when something waits and nothing may be sent.
	Wait time.Time
}

// Closing is an item that shall never be sent, and why.
type Closing struct {
	Delivery Delivery
	Why      string
	// Lost tells that it is closed because its open never reached anybody here.
	Lost bool
}

// Lane returns, in order, the messages of an episode that share the item's
// destination: those of its own account, or those it takes for another.
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

// Waits reports whether any message of a lane has still to go. The next episode
// of the incident waits for it: a recovery that is told after the next failure
// would be the last word on an incident that goes on.
func Waits(lane []Delivery) bool {
	return slices.ContainsFunc(lane, func(d Delivery) bool { return !d.State.Final() })
}

// Options are what Next has to know of a lane's destination.
type Options struct {
	// Gathers tells that messages may be told together here.
	Gathers bool
	// Away tells that the episode's open went to the fallback instead; what
	// follows it goes there as well.
	Away bool
}

// Next looks at a lane. Nothing goes before what comes before it. A reminder
// that anything has overtaken is closed, and so is a resolve where nothing of
// the episode was told and nothing may have arrived: nobody is told the end of
// what they were not told the beginning of. A reminder stands by itself: it goes
// even where the open was lost. What a person insists on goes all the same.
//
// Where messages may be gathered, an open that nobody has seen takes with it
// what has been decided since: its recovery, or that it still goes on.
//
// recheck is when a waiting item is looked at again when its predecessor gives
// no time of its own.
func Next(lane []Delivery, o Options, now, recheck time.Time) Step {
	var (
		step Step
		rest []Delivery
	)
	lost := lostOpen(lane)
	untold := lost != "" && !slices.ContainsFunc(lane, told)
	for i, d := range lane {
		endless := d.Action == incident.Resolve && untold && len(rest) == 0
		switch {
		case d.State.Final():
		case d.State == Sending && !d.Claimable(now):
			rest = append(rest, d)
		case d.Insisted:
			rest = append(rest, d)
		case d.Action != incident.Open && lost != "" && (endless || (o.Away && untold)):
			step.Close = append(step.Close, Closing{d, "its open was never delivered here; see " + lost, true})
		case d.Action == incident.Remind && i < len(lane)-1:
			step.Close = append(step.Close, Closing{d, "overtaken; see " + lane[i+1].ID, false})
		default:
			rest = append(rest, d)
		}
	}
	if len(rest) == 0 {
		return step
	}
	first := rest[0]
	if !first.Claimable(now) {
		step.Wait = later(first.DueAt, recheck)
		return step
	}
	step.Send = &first
	if o.Gathers && first.Action == incident.Open {
		step.Fold = foldable(first, rest[1:])
	}
	step.Since = endSince(first, lane)
	return step
}

// endSince is the end of the episode, where it was told or closed before a person
// has sent an earlier message again: nothing follows that takes that one back.
func endSince(d Delivery, lane []Delivery) []Delivery {
	if !d.Resent() || d.Notice.Action == incident.Resolve {
		return nil
	}
	if end, over := FinalResolve(lane); over {
		return []Delivery{end}
	}
	return nil
}

// Resent reports an item that a person sends again and that waits.
func (d Delivery) Resent() bool { return d.Insisted && d.State == Pending }

// FinalResolve returns the resolve of a lane's episode once it is told or closed.
func FinalResolve(lane []Delivery) (end Delivery, over bool) {
	for _, s := range lane {
		if s.Action == incident.Resolve && s.State.Final() {
			return s, true
		}
	}
	return Delivery{}, false
}

// lostOpen is the id of an open that was not told, and never will be.
func lostOpen(lane []Delivery) string {
	for _, d := range lane {
		if d.Action == incident.Open && (d.State == Dead || d.State == Silenced || (d.State == Superseded && d.In == "")) {
			return d.ID
		}
	}
	return ""
}

// told reports a message that its destination has, or may have.
func told(d Delivery) bool {
	switch {
	case d.State == Delivered, d.State == Held, d.Doubtful():
		return true
	default:
		return d.State == Superseded && d.In != ""
	}
}

// foldable are the items after an open that can be told with it: as long as
// neither may have arrived already, which a changed message would hide.
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

// Unsent reports an item that waits and has certainly not arrived: its message
// may still be changed, or told in another one.
func Unsent(d Delivery) bool { return d.State == Pending && !d.Doubtful() }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
