package poll

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

const (
	// recentRunCount is how many of a source's newest runs a poll reads: this one, the
	// previous one, and a few more in case those were lost or failed.
	recentRunCount = 5
	// maxNewKeys bounds the new keys that one run record lists.
	maxNewKeys = 200
)

// recentRuns reads a source's newest runs, this one included.
func (p *Poller) recentRuns(ctx context.Context, src config.Source) ([]observation.Run, error) {
	runs, err := p.Store.Runs(ctx, src.ID, recentRunCount)
	if err != nil {
		return nil, fmt.Errorf("read the runs before: %w", err)
	}
	return runs, nil
}

// withNew adds the keys that began to fail in the runs before this tick, back to the
// last complete one. They are not active until they are decided on; without withNew a
// healthy tick that breaks their streak would not be reported meanwhile.
func (w watched) withNew(src config.Source, tick time.Time, runs []observation.Run) watched {
	out := w
	for _, r := range runs {
		if !r.Tick.Before(tick) {
			continue
		}
		for _, key := range r.NewKeys {
			if _, known := out[key]; known {
				continue
			}
			if len(out) == len(w) {
				out = maps.Clone(w)
			}
			if out == nil {
				out = watched{}
			}
			out[key] = incident.Active{Key: key, Sources: reporters(src, key)}
		}
		if r.State == observation.RunOK {
			break
		}
	}
	return out
}

// unlisted returns how many keys began to fail in the runs before this tick but did not
// fit into the run record. They look new again. It returns zero once decide has caught
// up.
func (w watched) unlisted(tick time.Time, runs []observation.Run) int {
	most := 0
	for _, r := range runs {
		if !r.Tick.Before(tick) {
			continue
		}
		undecided := slices.ContainsFunc(r.NewKeys, func(key string) bool { _, known := w[key]; return !known })
		if undecided {
			most = max(most, r.NewKeysLeft)
		}
		if r.State == observation.RunOK {
			break
		}
	}
	return most
}

// reporters returns the sources of a key that this source's runs reported: the source
// itself, or none if the key is about the source, since no listing contains that key.
func reporters(src config.Source, key string) []string {
	for _, kind := range []string{incident.KindHeartbeat, incident.KindOverflow} {
		if own, _ := ownKey(kind, src); own == key {
			return nil
		}
	}
	return []string{src.ID}
}

// ownKey returns the key of an incident about the source itself.
func ownKey(kind string, src config.Source) (string, error) {
	return incident.Key(kind, ownParts(src))
}

func ownParts(src config.Source) []observation.Part {
	return []observation.Part{{Name: "source", Value: src.ID}}
}

// newKeys returns the failing keys that are not active yet, up to maxNewKeys, and how
// many more there are.
func newKeys(all []observation.Observation, active watched) (keys []string, left int) {
	for _, o := range all {
		if _, known := active[o.IncidentKey]; !known && o.Verdict == observation.Failing {
			keys = append(keys, o.IncidentKey)
		}
	}
	left = max(0, len(keys)-maxNewKeys)
	return keys[:len(keys)-left], left
}
