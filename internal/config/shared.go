package config

import (
	"fmt"
	"strings"
	"time"
)

// target is the endpoint that a provider's rate limit applies to.
type target struct{ channel, address, within string }

// targetOf returns the target of a destination, and the field that names it. The
// target is empty unless its limit is known: see defaultPace.
func targetOf(d Destination) (t target, field string) {
	switch d.Channel {
	case ChannelSlackWebhook:
		if !IsReference(d.WebhookURL) {
			return target{}, "" // which is said of it already
		}
		return target{d.Channel, d.WebhookURL, ""}, "webhook_url"
	case ChannelSlackBot:
		return target{d.Channel, d.ChannelID, d.Token}, "channel_id"
	default:
		return target{}, ""
	}
}

// shared warns of destinations that share one target's rate limit, since each paces
// itself without regard to the others. There is no warning if their paces are long
// enough for all of them.
func (b *builder) shared(all []*named) {
	found := map[target][]string{}
	rate := map[target]float64{}
	for _, f := range all {
		d := b.cfg.Destinations[f.id]
		to, field := targetOf(d)
		if to.address == "" {
			continue
		}
		limit := defaultPace[d.Channel]
		// A destination without a pace may send at any rate.
		mine := 2.0
		if d.Pace > 0 {
			mine = limit.Seconds() / d.Pace.Seconds()
		}
		rate[to] += mine
		others := found[to]
		found[to] = append(others, f.id)
		if len(others) == 0 || rate[to] < 1.001 {
			continue
		}
		b.r.warn(f.place(field), join(f.path, field),
			fmt.Sprintf("is that of %s too, and each keeps a pace of its own: together they may send more often than every %s, which is all that Slack takes", strings.Join(others, ", "), FormatDuration(limit)),
			fmt.Sprintf("make one destination of them, or give each a longer pace, such as pace: %s", FormatDuration(time.Duration(len(found[to]))*limit)))
	}
}
