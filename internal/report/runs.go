package report

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// measureRuns adds up the polls of each source in the period.
func (m *measure) measureRuns(ctx context.Context) error {
	slices.Sort(m.sources)
	for _, id := range slices.Compact(m.sources) {
		s := Source{Source: id}
		err := m.store.RunsBetween(ctx, id, m.from, m.to, func(r observation.Run) error {
			m.reads.Runs++
			s.add(r)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read the polls of source %s: %w", id, err)
		}
		s.LimitedShare = share(s.Limited, s.Requests)
		m.polls[id] = s
	}
	return nil
}

func (s *Source) add(r observation.Run) {
	if s.First.IsZero() {
		s.First = r.Tick
	}
	s.Polls++
	switch r.State {
	case observation.RunOK:
		s.OK++
	case observation.RunPartial:
		s.Partial++
	case observation.RunFailed:
		s.Failed++
	case observation.RunSkipped:
		s.Skipped++
	default:
		s.Unfinished++
	}
	s.Requests += r.Requests
	s.Retries += r.Retries
	s.Limited += r.Limited
}

// pollOf is the source whose polls speak as a source: what a poll says about the
// source itself, it says as a source of its own.
func pollOf(source string) string {
	id, _, _ := strings.Cut(source, "/")
	return id
}

// hasNoVendor reports an incident about a source itself, not about what it watches,
// or a smoke test.
func hasNoVendor(source string) bool { return strings.Contains(source, "/") || config.IsSmoke(source) }

// sourcesOut are the measured sources, and the notes on what is not stored.
func (m *measure) sourcesOut() ([]Source, []string) {
	out, notes := []Source{}, []string{}
	for _, id := range slices.Sorted(keysOf(m.polls)) {
		s := m.polls[id]
		out = append(out, s)
		switch late := s.First.Sub(m.from); {
		case s.First.IsZero():
			notes = append(notes, fmt.Sprintf("no poll of source %s in the period is stored", id))
		case late > firstPoll:
			notes = append(notes, fmt.Sprintf("the oldest poll of source %s in the period that is stored is of %s: older ones have expired (retention.poll_runs), or there were none",
				id, s.First.UTC().Format("2006-01-02 15:04 UTC")))
		}
	}
	return out, notes
}

// firstPoll is how much later than the period a first poll may be without a
// note: intervals are a day at most.
const firstPoll = 24 * time.Hour
