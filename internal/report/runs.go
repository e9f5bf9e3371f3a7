package report

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// measureRuns counts the polls of each source in the period.
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

// add counts a poll.
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

// pollOf returns the configured source whose polls write a source's observations. A poll
// writes those about the source itself under a source of their own, "ID/reachability".
func pollOf(source string) string {
	id, _, _ := strings.Cut(source, "/")
	return id
}

// hasNoVendor reports whether a source's incidents are about a configured source itself,
// or are a smoke test's.
func hasNoVendor(source string) bool { return strings.Contains(source, "/") || config.IsSmoke(source) }

// sourceReports returns the measured sources, and notes on polls that are not stored.
func (m *measure) sourceReports() ([]Source, []string) {
	out, notes := []Source{}, []string{}
	for _, id := range slices.Sorted(maps.Keys(m.polls)) {
		s := m.polls[id]
		out = append(out, s)
		switch late := s.First.Sub(m.from); {
		case s.First.IsZero():
			notes = append(notes, fmt.Sprintf("no poll of source %s in the period is stored", id))
		case late > maxFirstPollDelay:
			notes = append(notes, fmt.Sprintf("the oldest poll of source %s in the period that is stored is of %s: older ones have expired (retention.poll_runs), or there were none",
				id, s.First.UTC().Format("2006-01-02 15:04 UTC")))
		}
	}
	return out, notes
}

// maxFirstPollDelay is how long after the beginning of the period the first stored poll
// may be without a note. Intervals are a day at most.
const maxFirstPollDelay = 24 * time.Hour
