package explain

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// RunStore is what a status reads besides.
type RunStore interface {
	Store
	// Runs returns a source's newest poll runs, newest first.
	Runs(ctx context.Context, source string, limit int) ([]observation.Run, error)
	Beats(ctx context.Context) (map[string]observation.Beat, error)
	Gate(ctx context.Context, destination string) (delivery.Gate, error)
}

// StatusReport says how polls and deliveries stand.
type StatusReport struct {
	At        time.Time      `json:"at"`
	Incidents map[string]int `json:"incidents"`
	// Quiet counts those of them that are silenced, and acked.
	Quiet        map[string]int      `json:"quiet"`
	Sources      []SourceStatus      `json:"sources"`
	Destinations []DestinationStatus `json:"destinations"`
	Parts        []PartStatus        `json:"parts"`
	// Silences are those that hold now.
	Silences []SilenceStatus `json:"silences"`
	// Problems are what a person should look at.
	Problems []string `json:"problems"`
}

// SourceStatus is how one source's polls go.
type SourceStatus struct {
	Source   string  `json:"source"`
	Interval float64 `json:"interval_seconds,omitempty"`
	// Tick and State are of the newest run; a run that is still running counts.
	Tick     time.Time `json:"tick,omitzero"`
	State    string    `json:"state"`
	Items    int       `json:"items"`
	Failing  int       `json:"failing"`
	Requests int       `json:"requests"`
	Retries  int       `json:"retries"`
	// Problem is the first of the newest run that has ended: one that is still
	// running has none to tell yet.
	Problem string `json:"problem,omitempty"`
	// Bad counts the newest runs in a row that did not bring everything.
	Bad int `json:"bad_in_a_row"`
	// Late is set when the newest run is older than it should be.
	Late bool `json:"late"`
	// Unreachable is set while the source itself is an open incident.
	Unreachable bool `json:"unreachable"`

	// wrote is the newest tick that brought observations.
	lastWritten time.Time
}

const (
	// missed is how many intervals may pass before a source counts as late.
	lateIntervals = 3
	// lookBack is how many runs are read for each source.
	runsRead = 20
	// stuck is the time after which a waiting message is a problem; recent is how
	// long a dead one is news.
	stuckAfter  = 15 * time.Minute
	deadNewsFor = 24 * time.Hour
)

// Status reads how everything stands at a time. It reads every incident's row
// and the whole outbox.
func (x *Explainer) Status(ctx context.Context, s RunStore, now time.Time) (*StatusReport, error) {
	rep := &StatusReport{At: now.UTC(), Incidents: map[string]int{}, Quiet: map[string]int{}, Problems: []string{}, Sources: []SourceStatus{}, Silences: x.activeSilences(now)}
	spoken, unreachable := map[string]bool{}, map[string]bool{}
	err := s.Incidents(ctx, func(st incident.State) error {
		rep.Incidents[Status(st)]++
		rep.addQuiet(x.quietOf(st, now))
		for id := range st.Sources {
			// A source that nothing was ever heard of but its own silence counts too.
			spoken[strings.TrimSuffix(id, config.ReachabilityID(""))] = true
		}
		if st.Open && st.Kind == heartbeatKind {
			for _, p := range st.Parts {
				unreachable[p.Value] = true
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, id := range x.sourceIDs(spoken) {
		runs, err := s.Runs(ctx, id, runsRead)
		if err != nil {
			return nil, err
		}
		if len(runs) == 0 && !x.isConfigured(id) {
			// What spoke was no poll, or one of old.
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

// heartbeatKind is the kind of incidents that are about a source itself.
const heartbeatKind = "heartbeat"

func (x *Explainer) isConfigured(id string) bool {
	if x.Config == nil {
		return false
	}
	_, ok := x.Config.Source(id)
	return ok
}

func (x *Explainer) sourceIDs(spoken map[string]bool) []string {
	if x.Config != nil {
		for _, src := range x.Config.Sources {
			spoken[src.ID] = true
		}
	}
	return slices.Sorted(maps.Keys(spoken))
}

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

// guessInterval is the shortest time between two polls, for a source whose
// configuration is not at hand.
func guessInterval(runs []observation.Run) time.Duration {
	var shortest time.Duration
	for i := 1; i < len(runs); i++ {
		if gap := runs[i-1].Tick.Sub(runs[i].Tick); gap > 0 && (shortest == 0 || gap < shortest) {
			shortest = gap
		}
	}
	return shortest
}

func (rep *StatusReport) findProblems(now time.Time) {
	problem := func(format string, args ...any) { rep.Problems = append(rep.Problems, fmt.Sprintf(format, args...)) }
	if len(rep.Sources) == 0 {
		problem("no poll is stored: is poll's schedule on?")
	}
	for _, s := range rep.Sources {
		switch {
		case s.Tick.IsZero():
			problem("source %s was never polled: is the schedule on?", s.Source)
		case s.Late:
			problem("source %s was last polled at %s: is the schedule on?", s.Source, stamp(s.Tick))
		case s.Bad > 0:
			problem("source %s: the %s did not bring everything; %s", s.Source, lastOf(s.Bad, "poll"), cmp.Or(s.Problem, "its run says no more"))
		}
	}
	for _, d := range rep.Destinations {
		if d.RefusedCode != "" {
			problem("destination %s has refused every message since %s (%s): mend its address or credentials; it is tried once an hour", d.Destination, stamp(d.RefusedSince), d.RefusedCode)
		}
		switch {
		case d.Oldest.IsZero():
		case !d.secretFailedAt.IsZero():
			problem("destination %s: %s waiting: a secret of it could not be read at %s; %s", d.Destination, count(d.Waiting, "message"), stamp(d.secretFailedAt), d.secretRemedy())
		case now.Sub(d.Oldest) > stuckAfter:
			problem("destination %s: %s waiting, the oldest since %s%s", d.Destination, count(d.Waiting, "message"), stamp(d.Oldest), d.answerText("; its last try: "))
		}
		if !d.LastDead.IsZero() && now.Sub(d.LastDead) < deadNewsFor {
			problem("destination %s: %s given up, the last at %s: %s", d.Destination, count(d.Dead, "message"), stamp(d.LastDead), cmp.Or(d.LastReason, "no reason noted"))
		}
	}
}

// inARow is "1 poll" or "3 polls in a row".
func inARow(n int, noun string) string {
	if n == 1 {
		return count(n, noun)
	}
	return count(n, noun) + " in a row"
}

// lastOf is "last poll" or "last 3 polls", for after "the".
func lastOf(n int, noun string) string {
	if n == 1 {
		return "last " + noun
	}
	return "last " + count(n, noun)
}
