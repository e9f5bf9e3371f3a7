package recorded

import (
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay"
)

// Live returns the candidate that decides by the configured policies: the source's, or
// the owner's if the source of a trace is not configured.
func Live(cfg *config.Config) replay.Candidate {
	return replay.Candidate{
		Name: "live", Policy: incident.DefaultPolicy(),
		For: func(o observation.Observation) incident.Policy {
			if p, ok := cfg.PolicyFor(o.Source); ok {
				return p
			}
			if owner, ok := cfg.Owners[o.Owner]; ok {
				return owner.Policy
			}
			return incident.DefaultPolicy()
		},
	}
}

// Pricing returns the channels of each owner's destinations, and the price of a message
// that is accepted at the first attempt, by channel.
func Pricing(cfg *config.Config) replay.Pricing {
	p := replay.Pricing{
		Currency:   cfg.Prices.Currency,
		PerMessage: make(map[string]float64, len(cfg.Prices.Channels)),
		Channels:   make(map[string][]string, len(cfg.Owners)),
	}
	for channel, price := range cfg.Prices.Channels {
		p.PerMessage[channel] = (price.Attempted + price.Delivered).Float()
	}
	for id, owner := range cfg.Owners {
		for _, to := range owner.Destinations {
			p.Channels[id] = append(p.Channels[id], cfg.Destinations[to].Channel)
		}
	}
	return p
}
