package replay

import (
	"maps"
	"math"
	"slices"
)

// Pricing is where owners are notified and what a message costs there.
type Pricing struct {
	Currency string
	// PerMessage is the price of one message by channel; a channel without a price is
	// free.
	PerMessage map[string]float64
	// Channels are the channels of an owner's destinations, one entry each; an owner
	// that is not in it has those of Default.
	Channels map[string][]string
	Default  []string
}

// DefaultPricing notifies everybody through one Slack webhook, which is free.
func DefaultPricing() Pricing {
	return Pricing{Currency: "USD", Default: []string{"slack_webhook"}}
}

// Notification counts the messages to one owner through one channel.
type Notification struct {
	Owner    string  `json:"owner"`
	Channel  string  `json:"channel"`
	Messages int     `json:"messages"`
	Cost     float64 `json:"cost"`
}

// bill returns the messages by owner and channel, sorted, and their total cost.
func (p Pricing) bill(t *Tally) (lines []Notification, total float64) {
	for _, owner := range slices.Sorted(maps.Keys(t.Notices)) {
		perChannel := make(map[string]int)
		for _, channel := range p.channelsOf(owner) {
			perChannel[channel] += t.Notices[owner]
		}
		for _, channel := range slices.Sorted(maps.Keys(perChannel)) {
			n := perChannel[channel]
			lines = append(lines, Notification{owner, channel, n, money(float64(n) * p.PerMessage[channel])})
		}
	}
	for _, l := range lines {
		total += l.Cost
	}
	return lines, money(total)
}

func (p Pricing) channelsOf(owner string) []string {
	if channels, ok := p.Channels[owner]; ok {
		return channels
	}
	return p.Default
}

// money rounds to a millionth, so that sums do not depend on the order of addition.
func money(v float64) float64 { return math.Round(v*1e6) / 1e6 }
