package receipts

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// Episodes reads an episode's messages.
type Episodes interface {
	Episode(ctx context.Context, incidentKey string, episode int) ([]delivery.Delivery, error)
}

// Fallbacks make the messages that a destination's fallback is sent for those that
// have come back.
type Fallbacks struct {
	Config *config.Config
	Ledger Episodes
	Render func(channel string, n notice.Notice) ([]byte, error)
	Log    *slog.Logger
	Now    func() time.Time
}

// Instead returns what the fallback is sent for a message that has come back, or
// because of one that has arrived after all: the end of what it was told before. What
// went to a fallback goes no further, and a smoke test nowhere else. A message that
// cannot be written is left out: the returned item is in the ledger and in the log.
//
// A mail comes back minutes or days later, and the world has moved on: the fallback
// is told an incident as it is by then. The items of a digest it is told one by one,
// for the end of each has to find where its beginning went.
func (f *Fallbacks) Instead(ctx context.Context, returned delivery.Delivery) ([]delivery.Delivery, error) {
	to, ok := f.Config.Destinations[f.Config.Destinations[returned.Destination].Fallback]
	if !ok || returned.For != "" || config.IsSmoke(returned.Source) || to.ID == returned.Destination {
		return nil, nil
	}
	if !returned.Receipt.Fate.Bad() {
		return f.ends(ctx, returned, to)
	}
	if returned.Action == delivery.Digest {
		items, fits, err := f.items(ctx, returned, to)
		if err != nil || fits {
			return items, err
		}
		return f.written(nil, returned, returned, nil, why(returned.Receipt), to), nil
	}
	episode, err := f.episode(ctx, returned.IncidentKey, returned.Episode)
	if err != nil {
		return nil, err
	}
	return f.one(nil, returned, []delivery.Delivery{returned}, episode, to), nil
}

func (f *Fallbacks) ends(ctx context.Context, arrived delivery.Delivery, to config.Destination) ([]delivery.Delivery, error) {
	episode, err := f.episode(ctx, arrived.IncidentKey, arrived.Episode)
	if err != nil || !delivery.FallbackAwaitsResolve(arrived, episode) {
		return nil, err
	}
	return f.written(nil, arrived, arrived, nil, delivery.WhyResolveToo, to), nil
}

// maxItems bounds the items of a digest, in bytes of their messages: they are written
// in one transaction, which takes 4 MB ("TransactWriteItems", DynamoDB API reference).
const maxItems = 1 << 20

// items are what the fallback is told instead of a digest, if all of it fits.
func (f *Fallbacks) items(ctx context.Context, digest delivery.Delivery, to config.Destination) (out []delivery.Delivery, fit bool, err error) {
	size, found := 0, false
	for _, e := range digest.Notice.Entries {
		episode, err := f.episode(ctx, e.IncidentKey, e.Episode)
		if err != nil {
			return nil, false, err
		}
		told := slices.DeleteFunc(slices.Clone(episode), func(d delivery.Delivery) bool { return d.In != delivery.DigestOf(digest) })
		if len(told) == 0 {
			continue
		}
		found = true
		before := len(out)
		out = f.one(out, digest, told, episode, to)
		for _, d := range out[before:] {
			size += len(d.Payload)
		}
	}
	return out, found && size <= maxItems, nil
}

func (f *Fallbacks) episode(ctx context.Context, incidentKey string, episode int) ([]delivery.Delivery, error) {
	all, err := f.Ledger.Episode(ctx, incidentKey, episode)
	if err != nil {
		return nil, fmt.Errorf("read what else was told of the incident: %w", err)
	}
	return slices.SortedFunc(slices.Values(all), func(a, b delivery.Delivery) int { return a.Sequence - b.Sequence }), nil
}

// one adds what the fallback is told of one episode, of which the given messages have
// come back: nothing, where a later one came back before.
func (f *Fallbacks) one(out []delivery.Delivery, returned delivery.Delivery, told, episode []delivery.Delivery, to config.Destination) []delivery.Delivery {
	last := told[len(told)-1]
	for _, d := range episode {
		if d.Destination == to.ID && d.For == returned.Destination && d.Sequence > last.Sequence {
			return out
		}
	}
	since := make([]notice.Notice, 0, len(told))
	for _, d := range told[1:] {
		since = append(since, d.Notice)
	}
	if end, ok := delivery.ResolveFor(episode, returned.Destination); ok && last.Action != incident.Resolve {
		since = append(since, end.Notice)
	}
	return f.written(out, returned, told[0], since, why(returned.Receipt), to)
}

func (f *Fallbacks) written(out []delivery.Delivery, returned, first delivery.Delivery, since []notice.Notice, why string, to config.Destination) []delivery.Delivery {
	d := delivery.ToFallback(first, to.ID, to.Channel, f.Now())
	d.Notice = notice.Together(first.Notice, since)
	d.Notice.DeliveryID, d.Notice.For, d.Notice.ForWhy = d.ID, returned.Destination, why
	d.Notice.MayBeRepeat = false
	payload, err := f.Render(d.Channel, d.Notice)
	if err != nil {
		f.Log.Error("a message for the fallback could not be written", "destination", to.ID, "error", err)
		return out
	}
	d.Payload = payload
	return append(out, d)
}

func why(r delivery.Receipt) string {
	if r.Code == "" {
		return string(r.Fate)
	}
	return string(r.Fate) + ": " + r.Code
}
