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
	// runsLookedAt is how many of a source's newest runs count for the next: this
	// one, the one before, and a few more where those were lost or failed.
	runsLookedAt = 5
	// maxNewKeys bounds what one run record remembers of a flood.
	maxNewKeys = 200
)

// recentRuns reads a source's newest runs, this one among them.
func (p *Poller) recentRuns(ctx context.Context, src config.Source) ([]observation.Run, error) {
	runs, err := p.Store.Runs(ctx, src.ID, runsLookedAt)
	if err != nil {
		return nil, fmt.Errorf("read the runs before: %w", err)
	}
	return runs, nil
}

// withNew adds the keys that began to fail in the runs before this tick, back to
// the last whole one. A decision about them may not have been made yet, and until
// then nobody else watches them: the healthy tick that breaks their streak would
// go untold.
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
			out[key] = incident.Active{Key: key, Sources: speakers(src, key)}
		}
		if r.State == observation.RunOK {
			break
		}
	}
	return out
}

// forgotten is how many keys began to fail in the runs before this tick that those had
// no room to remember, as long as deciding lags behind: they look new once more.
func (w watched) forgotten(tick time.Time, runs []observation.Run) int {
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

// speakers are the sources of a key that this source's runs told of: itself, but
// for what is said about it, which no list holds.
func speakers(src config.Source, key string) []string {
	for _, kind := range []string{incident.KindHeartbeat, incident.KindOverflow} {
		if own, _ := ownKey(kind, src); own == key {
			return nil
		}
	}
	return []string{src.ID}
}

// ownKey is the key of what is said about a source itself.
func ownKey(kind string, src config.Source) (string, error) {
	return incident.Key(kind, ownParts(src))
}

func ownParts(src config.Source) []observation.Part {
	return []observation.Part{{Name: "source", Value: src.ID}}
}

// newKeys are the failing keys that nobody decided on yet, and how many more there are
// than one run remembers.
func newKeys(all []observation.Observation, active watched) (keys []string, left int) {
	for _, o := range all {
		if _, known := active[o.IncidentKey]; !known && o.Verdict == observation.Failing {
			keys = append(keys, o.IncidentKey)
		}
	}
	left = max(0, len(keys)-maxNewKeys)
	return keys[:len(keys)-left], left
}
