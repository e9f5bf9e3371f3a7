package delivery

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Place is what the order among one incident's messages to one destination
// allows an item to do now.
type Place struct {
	// Go is true when the item may be sent.
	Go bool
	// Wait is when to look again, when an earlier item must go first.
	Wait time.Time
	// Superseded, when not empty, says why the item shall never be sent.
	Superseded string
}

// PlaceOf looks at the other deliveries of the same episode. An open always
// goes. A reminder that a resolve has overtaken is superseded. Anything waits
// for what comes before it at the same destination, and is superseded when the
// open never reached that destination: nobody is told the end of what they
// were not told the beginning of.
//
// recheck is when a waiting item is looked at again when its predecessor gives
// no time of its own.
func PlaceOf(d Delivery, siblings []Delivery, recheck time.Time) Place {
	var p Place
	for _, s := range siblings {
		if s.Destination != d.Destination || s.Episode != d.Episode || s.Sequence == d.Sequence {
			continue
		}
		if s.Sequence > d.Sequence {
			if d.Action == incident.Remind && s.Action == incident.Resolve {
				return Place{Superseded: "resolved since; see " + s.ID}
			}
			continue
		}
		switch {
		case s.Action == incident.Open && (s.State == Dead || s.State == Superseded):
			return Place{Superseded: "its open was never delivered here; see " + s.ID}
		case !s.State.Final():
			p.Wait = later(p.Wait, later(s.DueAt, recheck))
		}
	}
	p.Go = p.Wait.IsZero()
	return p
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
