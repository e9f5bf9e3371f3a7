package recorded

import (
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay"
)

// Live decides as the configuration does: by source, or by owner where
// a trace names a source that is not configured.
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

// Channels are the channels that each owner is told through.
func Channels(cfg *config.Config) map[string][]string {
	all := make(map[string][]string, len(cfg.Owners))
	for id, owner := range cfg.Owners {
		for _, to := range owner.Destinations {
			all[id] = append(all[id], cfg.Destinations[to].Channel)
		}
	}
	return all
}
