package delivery

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Due is what sweep and the stream know about an item before they claim it: enough
// to respect order and the destination's gate without reading the item.
type Due struct {
	Ref
	Episode     int
	Sequence    int
	Action      incident.Action
	Destination string
	DueAt       time.Time
	// CreatedAt is the time of the item's decision.
	CreatedAt time.Time
}

// Due returns the item's own entry.
func (d Delivery) Due() Due {
	return Due{
		Ref: d.Ref(), Episode: d.Episode, Sequence: d.Sequence,
		Action: d.Action, Destination: d.Destination, DueAt: d.DueAt, CreatedAt: d.CreatedAt,
	}
}

// skew is the clock difference between two functions up to which a new item still
// counts as due.
const skew = time.Second

// FirstDue returns the due time of an item created now. It is slightly in the past,
// so that the item is due at once even by a clock that is behind.
func FirstDue(now time.Time) time.Time { return now.Add(-skew) }
