package delivery

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Due is what sweep and the stream know of an item before they claim it:
// enough to respect order and the destination's gate without reading it.
type Due struct {
	Ref
	Episode     int
	Sequence    int
	Action      incident.Action
	Destination string
	DueAt       time.Time
	// CreatedAt is when the decision was made that the item tells of.
	CreatedAt time.Time
}

// Due returns the item's own entry.
func (d Delivery) Due() Due {
	return Due{
		Ref: d.Ref(), Episode: d.Episode, Sequence: d.Sequence,
		Action: d.Action, Destination: d.Destination, DueAt: d.DueAt, CreatedAt: d.CreatedAt,
	}
}

// skew is how far the clocks of two functions may differ without a new item
// looking like one that is not due yet.
const skew = time.Second

// FirstDue is when an item that is made now is due: at once, also by a clock that
// is a little behind.
func FirstDue(now time.Time) time.Time { return now.Add(-skew) }
