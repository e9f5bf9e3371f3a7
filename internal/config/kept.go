package config

import (
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/silence"
)

// Kept returns those of the destinations that an incident's messages are kept
// back from at a time, each with the id of the silence that does it.
func (c *Config) Kept(all silence.Set, s incident.State, owner string, destinations []string, at time.Time) map[string]string {
	holding := all.Holding(at)
	if len(holding) == 0 {
		return nil
	}
	var kept map[string]string
	t := silence.Target{Key: s.Key, Owner: owner, Sources: c.sourcesOf(s)}
	for _, id := range destinations {
		t.Destination = id
		if to := c.Destinations[id]; to.Group != "" {
			t.Destination = to.Group
		}
		if by, ok := holding.Keeps(t, at); ok {
			if kept == nil {
				kept = map[string]string{}
			}
			kept[id] = by.ID
		}
	}
	return kept
}

// sourcesOf are the sources that an incident fails by, as the configuration
// names them: what a source says about itself is of that source.
func (c *Config) sourcesOf(s incident.State) []string {
	failing := s.FailingSources()
	for i, id := range failing {
		if src, ok := c.SourceOf(id); ok {
			failing[i] = src.ID
		}
	}
	slices.Sort(failing)
	return slices.Compact(failing)
}
