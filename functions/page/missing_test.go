package main

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/pages"
)

// robbed is a store whose messages by mail are gone.
type robbed struct{ *memory.Store }

func (s robbed) Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error) {
	all, err := s.Store.Episode(ctx, key, episode)
	return slices.DeleteFunc(all, func(d delivery.Delivery) bool { return d.Destination == "mail" }), err
}

// A message that is missing has not expired, until it has had the time to: as of
// each request, for a function lives longer than that.
func TestWhatIsMissingIsNotTakenForExpired(t *testing.T) {
	w := newWorld(t)
	now := noon
	clock := func() time.Time { return now }
	h := handler{
		slog.New(slog.DiscardHandler), &pages.Checker{Secret: "ssm:/page", Secrets: held(secret), Now: clock},
		&explain.Explainer{Store: robbed{w.store}, Config: &config.Config{Retention: config.Retention{Decisions: 24 * time.Hour, Deliveries: 2 * time.Hour}}},
		clock, w.store,
	}
	const missing, expired = "the ledger has none", "have expired with their attempts"
	for _, x := range []struct {
		at        time.Time
		want, not string
	}{{noon, missing, expired}, {noon.Add(3 * time.Hour), expired, missing}} {
		now = x.at
		res, err := h.handle(t.Context(), get(w.path(1)))
		if err != nil || !strings.Contains(res.Body, x.want) || strings.Contains(res.Body, x.not) {
			t.Errorf("at %s: says %q: %v, says %q: %v, %v", x.at.Format(time.TimeOnly),
				x.want, strings.Contains(res.Body, x.want), x.not, strings.Contains(res.Body, x.not), err)
		}
	}
}
