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

// Fallbacks makes the items that a destination's fallback is sent for bounced messages.
type Fallbacks struct {
	Config *config.Config
	Ledger Episodes
	Render func(channel string, n notice.Notice) ([]byte, error)
	Log    *slog.Logger
	Now    func() time.Time
}

// Items returns the items to send to the fallback after a receipt: a replacement for a
// bounced message; or, if the message has arrived after all, the resolve of an incident
// that the fallback was told of. Items that already went to a fallback, and those of
// smoke tests, have none. An item that cannot be rendered is omitted; the bounced one
// remains in the ledger and in the log.
//
// A mail may bounce minutes or days later, so the replacement describes the incident as
// it is by then. The items of a digest are replaced individually, because each item's
// resolve has to follow its open.
func (f *Fallbacks) Items(ctx context.Context, d delivery.Delivery) ([]delivery.Delivery, error) {
	to, ok := f.Config.Destinations[f.Config.Destinations[d.Destination].Fallback]
	if !ok || d.For != "" || config.IsSmoke(d.Source) || to.ID == d.Destination {
		return nil, nil
	}
	if !d.Receipt.Fate.Bad() {
		return f.resolve(ctx, d, to)
	}
	if d.Action == delivery.Digest {
		items, fits, err := f.splitDigest(ctx, d, to)
		if err != nil || fits {
			return items, err
		}
		return f.appendRendered(nil, d, d, nil, why(d.Receipt), to), nil
	}
	episode, err := f.episode(ctx, d.IncidentKey, d.Episode)
	if err != nil {
		return nil, err
	}
	return f.appendEpisode(nil, d, []delivery.Delivery{d}, episode, to), nil
}

// resolve returns the resolve that has arrived, if the fallback still awaits it.
func (f *Fallbacks) resolve(ctx context.Context, arrived delivery.Delivery, to config.Destination) ([]delivery.Delivery, error) {
	episode, err := f.episode(ctx, arrived.IncidentKey, arrived.Episode)
	if err != nil || !delivery.FallbackAwaitsResolve(arrived, episode) {
		return nil, err
	}
	return f.appendRendered(nil, arrived, arrived, nil, delivery.WhyResolveToo, to), nil
}

// maxSplit bounds the items of a split digest, in bytes of their messages. They are
// written in one transaction, which allows 4 MB ("TransactWriteItems", DynamoDB API
// reference).
const maxSplit = 1 << 20

// splitDigest returns the items that replace a digest, and whether they fit into one
// transaction.
func (f *Fallbacks) splitDigest(ctx context.Context, digest delivery.Delivery, to config.Destination) (out []delivery.Delivery, fit bool, err error) {
	size, found := 0, false
	for _, e := range digest.Notice.Entries {
		episode, err := f.episode(ctx, e.IncidentKey, e.Episode)
		if err != nil {
			return nil, false, err
		}
		covered := slices.DeleteFunc(slices.Clone(episode), func(d delivery.Delivery) bool { return d.In != delivery.DigestOf(digest) })
		if len(covered) == 0 {
			continue
		}
		found = true
		before := len(out)
		out = f.appendEpisode(out, digest, covered, episode, to)
		for _, d := range out[before:] {
			size += len(d.Payload)
		}
	}
	return out, found && size <= maxSplit, nil
}

func (f *Fallbacks) episode(ctx context.Context, incidentKey string, episode int) ([]delivery.Delivery, error) {
	all, err := f.Ledger.Episode(ctx, incidentKey, episode)
	if err != nil {
		return nil, fmt.Errorf("read what else was told of the incident: %w", err)
	}
	return slices.SortedFunc(slices.Values(all), func(a, b delivery.Delivery) int { return a.Sequence - b.Sequence }), nil
}

// appendEpisode appends the item that replaces the bounced items of one episode, unless a
// later item of the episode has bounced and been replaced already. bounced is the
// delivery that bounced: the digest, if it covered the items.
func (f *Fallbacks) appendEpisode(out []delivery.Delivery, bounced delivery.Delivery, items, episode []delivery.Delivery, to config.Destination) []delivery.Delivery {
	last := items[len(items)-1]
	for _, d := range episode {
		if d.Destination == to.ID && d.For == bounced.Destination && d.Sequence > last.Sequence {
			return out
		}
	}
	since := make([]notice.Notice, 0, len(items))
	for _, d := range items[1:] {
		since = append(since, d.Notice)
	}
	if end, ok := delivery.ResolveFor(episode, bounced.Destination); ok && last.Action != incident.Resolve {
		since = append(since, end.Notice)
	}
	return f.appendRendered(out, bounced, items[0], since, why(bounced.Receipt), to)
}

// appendRendered appends the fallback item for first, whose notice also covers since.
func (f *Fallbacks) appendRendered(out []delivery.Delivery, replaced, first delivery.Delivery, since []notice.Notice, why string, to config.Destination) []delivery.Delivery {
	d := delivery.ToFallback(first, to.ID, to.Channel, f.Now())
	d.Notice = notice.Together(first.Notice, since)
	d.Notice.DeliveryID, d.Notice.For, d.Notice.ForWhy = d.ID, replaced.Destination, why
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
