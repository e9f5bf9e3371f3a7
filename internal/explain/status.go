package explain

import (
	"context"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// RunStore is a Store that also holds what a status reads: poll runs, beats and gates.
type RunStore interface {
	Store
	// Runs returns a source's newest poll runs, newest first.
	Runs(ctx context.Context, source string, limit int) ([]observation.Run, error)
	Beats(ctx context.Context) (map[string]observation.Beat, error)
	Gate(ctx context.Context, destination string) (delivery.Gate, error)
}

// StatusReport is the status of polls, deliveries and incidents. As JSON it is what
// `ringonce status --json` prints.
type StatusReport struct {
	At time.Time `json:"at"`
	// Incidents counts the incidents by Status.
	Incidents map[string]int `json:"incidents"`
	// Quiet counts those of them that are silenced, and those that are acknowledged.
	Quiet        map[string]int      `json:"quiet"`
	Sources      []SourceStatus      `json:"sources"`
	Destinations []DestinationStatus `json:"destinations"`
	Parts        []PartStatus        `json:"parts"`
	// Silences are the silences in force.
	Silences []SilenceStatus `json:"silences"`
	// Problems say what a person should look at.
	Problems []string `json:"problems"`
}

const (
	// lateIntervals is how many intervals may pass without a poll before a source is
	// late.
	lateIntervals = 3
	// runsRead is how many runs are read of each source.
	runsRead = 20
	// stuckAfter is how long a message may wait before it is a problem; deadNewsFor is
	// how long a message that was given up is one.
	stuckAfter  = 15 * time.Minute
	deadNewsFor = 24 * time.Hour
)

// Status returns the status of everything at a time. It reads every incident's row
// and the whole outbox.
func (x *Explainer) Status(ctx context.Context, s RunStore, now time.Time) (*StatusReport, error) {
	rep := &StatusReport{At: now.UTC(), Incidents: map[string]int{}, Quiet: map[string]int{}, Problems: []string{}, Sources: []SourceStatus{}, Silences: x.activeSilences(now)}
	named, unreachable, err := x.countIncidents(ctx, s, rep, now)
	if err != nil {
		return nil, err
	}
	for _, id := range x.sourceIDs(named) {
		runs, err := s.Runs(ctx, id, runsRead)
		if err != nil {
			return nil, err
		}
		if len(runs) == 0 && !x.isConfigured(id) {
			// It is not polled, such as a smoke test, or no longer.
			continue
		}
		src := x.sourceStatus(id, runs, now)
		src.Unreachable = unreachable[id]
		rep.Sources = append(rep.Sources, src)
	}
	if rep.Destinations, err = destinations(ctx, s, now); err != nil {
		return nil, err
	}
	if x.Config != nil {
		for i, d := range rep.Destinations {
			rep.Destinations[i].secrets = x.Config.Destinations[d.Destination].Secrets()
		}
	}
	if err := rep.readParts(ctx, s, now); err != nil {
		return nil, err
	}
	rep.findProblems(now)
	return rep, nil
}

// countIncidents counts the incidents by status. It returns the sources that they
// name, and those of them that are themselves an open incident.
func (x *Explainer) countIncidents(ctx context.Context, s RunStore, rep *StatusReport, now time.Time) (named, unreachable map[string]bool, err error) {
	named, unreachable = map[string]bool{}, map[string]bool{}
	err = s.Incidents(ctx, func(st incident.State) error {
		rep.Incidents[Status(st)]++
		rep.addQuiet(x.quietOf(st, now))
		for id := range st.Sources {
			// A source of which only its own unreachability was observed counts too.
			named[strings.TrimSuffix(id, config.ReachabilityID(""))] = true
		}
		if st.Open && st.Kind == incident.KindHeartbeat {
			for _, p := range st.Parts {
				unreachable[p.Value] = true
			}
		}
		return nil
	})
	return named, unreachable, err
}
