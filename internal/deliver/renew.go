package deliver

import (
	"context"
	"fmt"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// renewDigest rewrites a digest that a person resends if some of its incidents have
// resolved since and no later message will say so.
func (l *lane) renewDigest(ctx context.Context, d delivery.Delivery) error {
	if !d.Resent() {
		return nil
	}
	ends := map[string]notice.Notice{}
	for _, e := range d.Notice.Entries {
		if e.Action == incident.Resolve {
			continue
		}
		episode, err := l.Ledger.Episode(ctx, e.IncidentKey, e.Episode)
		if err != nil {
			return fmt.Errorf("read what has become of its incidents: %w", err)
		}
		of := delivery.Delivery{Destination: d.Destination, For: d.For, Episode: e.Episode}
		if end, over := delivery.FinalResolve(delivery.Lane(of, episode)); over {
			ends[e.DeliveryID] = end.Notice
		}
	}
	if len(ends) == 0 {
		return nil
	}
	d.Notice = notice.Since(d.Notice, ends)
	return l.refreeze(ctx, d, nil)
}
