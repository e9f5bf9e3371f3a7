package report

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// maxConcurrent is how many incidents are read concurrently.
const maxConcurrent = 8

// Measurer measures one stack.
type Measurer struct {
	Store Store
	// Sources are the configured sources. Those that incidents name are added.
	Sources []string
}

// Measure reports on the ticks between two times, both inclusive.
//
// It reads the whole table of incidents once, and the poll runs of the period; for each
// incident with a decision in the period, its log of decisions and the messages of those
// episodes; and each digest once.
func (x Measurer) Measure(ctx context.Context, from, to time.Time) (*Report, error) {
	m := &measure{
		store: x.Store, from: from, to: to, sources: slices.Clone(x.Sources), polls: map[string]Source{},
		destinations: map[string]*Destination{}, owners: map[string]*Owner{}, digests: map[string]*storedDigest{},
	}
	found, err := m.decidedIncidents(ctx)
	if err == nil {
		// Runs come first: detect_from_event needs the first poll of each source.
		err = m.measureRuns(ctx)
	}
	if err == nil {
		err = m.measureIncidents(ctx, found)
	}
	if err == nil {
		err = m.measureRefusals(ctx)
	}
	if err != nil {
		return nil, err
	}
	return m.report(), nil
}

// measure is a measurement in progress.
type measure struct {
	store    Store
	from, to time.Time
	sources  []string
	polls    map[string]Source

	// mu guards the fields below, which incidents update concurrently.
	mu                                              sync.Mutex
	incidents, opened                               int
	detect, fromEvent, notify, notifyOpen, endToEnd sample
	accepted, duplicates, possibleDuplicates        int
	destinations                                    map[string]*Destination
	owners                                          map[string]*Owner
	digests                                         map[string]*storedDigest
	reconstructed                                   int
	lacks                                           []Lack
	reads                                           Reads
}

// decidedIncidents returns the rows of incidents that may have a decision in the period,
// with only the fields that are needed, and collects the sources that all rows name.
func (m *measure) decidedIncidents(ctx context.Context) ([]incident.State, error) {
	var found []incident.State
	err := m.store.Incidents(ctx, func(s incident.State) error {
		m.reads.Incidents++
		for id := range s.Sources {
			m.sources = append(m.sources, pollOf(id))
		}
		if len(m.sources) > 1000 {
			slices.Sort(m.sources)
			m.sources = slices.Compact(m.sources)
		}
		if s.DecisionSeq > 0 && !lastTick(s).Before(m.from) {
			found = append(found, incident.State{
				Key: s.Key, Kind: s.Kind, Parts: s.Parts, Open: s.Open, Episode: s.Episode, Sequence: s.Sequence,
				DecisionSeq: s.DecisionSeq, StreakStart: s.StreakStart, Source: s.Source, Owner: s.Owner,
			})
		}
		return nil
	})
	return found, err
}

// lastTick returns the last tick at which an incident can have been decided on.
func lastTick(s incident.State) time.Time {
	return slices.MaxFunc([]time.Time{s.OpenedAt, s.LastNotified, s.ResolvedAt, s.LastFailing, s.LastHealthy}, time.Time.Compare)
}

// measureIncidents measures the episodes of incidents concurrently.
func (m *measure) measureIncidents(ctx context.Context, found []incident.State) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, maxConcurrent)
	var wg sync.WaitGroup
	for _, s := range found {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := m.measureKey(ctx, s); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// inPeriod reports whether a tick is in the period.
func (m *measure) inPeriod(tick time.Time) bool { return !tick.Before(m.from) && !tick.After(m.to) }

// measureKey measures the episodes of one incident key.
func (m *measure) measureKey(ctx context.Context, s incident.State) error {
	log, err := m.store.Decisions(ctx, s.Key)
	if err != nil {
		return err
	}
	all := m.episodesOf(s, log)
	if len(all) == 0 {
		return nil
	}
	read := 0
	err = m.store.Episodes(ctx, s.Key, all[0].number, all[len(all)-1].number, func(d delivery.Delivery) error {
		read++
		i, ok := slices.BinarySearchFunc(all, d.Episode, func(e *episode, n int) int { return e.number - n })
		if ok {
			all[i].deliveries = append(all[i].deliveries, d)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range all {
		if err := m.measureEpisode(ctx, e); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads.Decisions += len(log)
	m.reads.Deliveries += read
	return nil
}

// episode is one episode and what is stored of it.
type episode struct {
	number     int
	state      incident.State
	log        []incident.Decision
	deliveries []delivery.Delivery
	// resolvedBefore is the tick at which the episode before was resolved.
	resolvedBefore time.Time
}

// episodesOf returns a key's episodes with a decision in the period, oldest first.
func (m *measure) episodesOf(s incident.State, log []incident.Decision) []*episode {
	var all []*episode
	var resolved time.Time
	for _, d := range log {
		if n := len(all); n == 0 || all[n-1].number != d.Episode {
			all = append(all, &episode{number: d.Episode, state: s, resolvedBefore: resolved})
		}
		if d.Action == incident.Resolve && d.Left == 0 {
			resolved = d.Tick
		}
		e := all[len(all)-1]
		e.log = append(e.log, d)
	}
	return slices.DeleteFunc(all, func(e *episode) bool {
		return !slices.ContainsFunc(e.log, func(d incident.Decision) bool { return m.inPeriod(d.Tick) })
	})
}

// report returns the result.
func (m *measure) report() *Report {
	slices.SortFunc(m.lacks, byIncident)
	r := &Report{
		From: m.from, To: m.to, Incidents: m.incidents, Opened: m.opened,
		Times: Times{
			Detect: m.detect.spread(), FromEvent: m.fromEvent.spread(), Notify: m.notify.spread(),
			Opens: m.notifyOpen.spread(), EndToEnd: m.endToEnd.spread(),
		},
		Messages: Messages{
			Accepted: m.accepted, Twice: m.duplicates, MayBeTwice: m.possibleDuplicates,
			Rate: share(m.duplicates, m.accepted), AtMost: share(m.duplicates+m.possibleDuplicates, m.accepted),
		},
		Destinations: []Destination{}, Owners: []Owner{}, Definitions: Definitions(), Reads: m.reads,
		Whole: Whole{
			Incidents: m.incidents, Whole: m.reconstructed, Share: share(m.reconstructed, m.incidents),
			Lacking: map[string]int{}, Not: append([]Lack{}, m.lacks...),
		},
	}
	r.Sources, r.Notes = m.sourceReports()
	for _, id := range slices.Sorted(maps.Keys(m.destinations)) {
		r.Destinations = append(r.Destinations, m.destinations[id].withShare())
	}
	for _, id := range slices.Sorted(maps.Keys(m.owners)) {
		r.Owners = append(r.Owners, *m.owners[id])
	}
	for _, l := range m.lacks {
		for _, part := range l.Parts {
			r.Whole.Lacking[part]++
		}
	}
	return r
}
