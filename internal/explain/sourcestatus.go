package explain

import (
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// SourceStatus is the status of one source's polls.
type SourceStatus struct {
	Source   string  `json:"source"`
	Interval float64 `json:"interval_seconds,omitempty"`
	// Tick and State are those of the newest run, even if it is still running.
	Tick     time.Time `json:"tick,omitzero"`
	State    string    `json:"state"`
	Items    int       `json:"items"`
	Failing  int       `json:"failing"`
	Requests int       `json:"requests"`
	Retries  int       `json:"retries"`
	// Problem is the first problem of the newest run that has ended.
	Problem string `json:"problem,omitempty"`
	// Bad counts the newest runs in a row that were not read in full.
	Bad int `json:"bad_in_a_row"`
	// Late is set if the newest run is more than three intervals old, or there is none.
	Late bool `json:"late"`
	// Unreachable is set while an incident about the source itself is open.
	Unreachable bool `json:"unreachable"`

	// lastWritten is the newest tick of which observations were written.
	lastWritten time.Time
}

// isConfigured reports whether a source is in the configuration.
func (x *Explainer) isConfigured(id string) bool {
	if x.Config == nil {
		return false
	}
	_, ok := x.Config.Source(id)
	return ok
}

// sourceIDs returns the configured sources and those named, sorted.
func (x *Explainer) sourceIDs(named map[string]bool) []string {
	if x.Config != nil {
		for _, src := range x.Config.Sources {
			named[src.ID] = true
		}
	}
	return slices.Sorted(maps.Keys(named))
}

// sourceStatus returns a source's status from its newest runs, newest first.
func (x *Explainer) sourceStatus(id string, runs []observation.Run, now time.Time) SourceStatus {
	s := SourceStatus{Source: id, State: "never polled"}
	interval := guessInterval(runs)
	if x.Config != nil {
		if src, ok := x.Config.Source(id); ok {
			interval = src.Interval
		}
	}
	s.Interval = interval.Seconds()
	if len(runs) == 0 {
		s.Late = true
		return s
	}
	newest := runs[0]
	s.Tick, s.State, s.Items, s.Failing = newest.Tick, string(newest.State), newest.Items, newest.Failing
	s.Requests, s.Retries = newest.Requests, newest.Retries
	ended := runs
	if newest.State == observation.RunRunning {
		ended = runs[1:]
	}
	if len(ended) > 0 && len(ended[0].Problems) > 0 {
		s.Problem = notice.OneLine(ended[0].Problems[0])
	}
	for _, r := range runs {
		if r.Written > 0 {
			s.lastWritten = r.Tick
			break
		}
	}
	for _, r := range ended {
		if r.State == observation.RunOK {
			break
		}
		s.Bad++
	}
	s.Late = interval > 0 && now.Sub(newest.Tick) > lateIntervals*interval
	return s
}

// guessInterval returns the shortest time between two polls, for a source whose
// configuration is not available.
func guessInterval(runs []observation.Run) time.Duration {
	var shortest time.Duration
	for i := 1; i < len(runs); i++ {
		if gap := runs[i-1].Tick.Sub(runs[i].Tick); gap > 0 && (shortest == 0 || gap < shortest) {
			shortest = gap
		}
	}
	return shortest
}
