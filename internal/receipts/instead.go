package receipts

import (
	"log/slog"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/notice"
)

// Instead makes the message that a destination's fallback is sent for one that
// has come back. What went to a fallback goes no further, and a smoke test nowhere
// else. A message that cannot be written is left out: the returned item is in the
// ledger and in the log.
func Instead(cfg *config.Config, render func(channel string, n notice.Notice) ([]byte, error), log *slog.Logger, now func() time.Time) func(delivery.Delivery) []delivery.Delivery {
	return func(returned delivery.Delivery) []delivery.Delivery {
		to, ok := cfg.Destinations[cfg.Destinations[returned.Destination].Fallback]
		if !ok || returned.For != "" || config.IsSmoke(returned.Source) || to.ID == returned.Destination {
			return nil
		}
		d := delivery.Instead(returned, to.ID, to.Channel, now())
		d.Notice.DeliveryID, d.Notice.For, d.Notice.ForWhy = d.ID, returned.Destination, why(returned.Receipt)
		d.Notice.MayBeRepeat = false
		payload, err := render(d.Channel, d.Notice)
		if err != nil {
			log.Error("a message for the fallback could not be written", "destination", to.ID, "error", err)
			return nil
		}
		d.Payload = payload
		return []delivery.Delivery{d}
	}
}

func why(r delivery.Receipt) string {
	if r.Code == "" {
		return string(r.Fate)
	}
	return string(r.Fate) + ": " + r.Code
}
