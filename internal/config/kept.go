package config

import (
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/silence"
)

// Kept returns the destinations that a silence keeps an incident's messages from at
// the given time, each with the silence's id.
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

// sourcesOf returns the configured sources by which an incident is failing; what a
// source reports about itself counts as that source.
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
