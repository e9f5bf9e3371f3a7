package explain

import (
	"maps"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/notice"
)

// SilenceStatus is one silence in force.
type SilenceStatus struct {
	ID string `json:"silence"`
	// Of says what the silence matches, Until when it ends or, if it recurs, pauses.
	Of     string    `json:"of"`
	Until  time.Time `json:"until,omitzero"`
	Reason string    `json:"reason"`
	Author string    `json:"author"`
	// Incidents counts the incidents that it silences at this time.
	Incidents int `json:"incidents"`
}

// activeSilences returns the silences in force at a time.
func (x *Explainer) activeSilences(now time.Time) []SilenceStatus {
	all := []SilenceStatus{}
	for _, s := range x.Silences.Holding(now) {
		until, _ := s.Holds(now)
		all = append(all, SilenceStatus{
			ID: s.ID, Of: notice.OneLine(s.Match.String()), Until: until.UTC(), Reason: notice.OneLine(s.Reason), Author: notice.OneLine(s.Author),
		})
	}
	return all
}

// addQuiet counts an incident that is silenced or acknowledged.
func (rep *StatusReport) addQuiet(q Quiet) {
	if q.Ack != "" {
		rep.Quiet[AckedStatus]++
	}
	if len(q.Silences) > 0 {
		rep.Quiet[SilencedStatus]++
	}
	for i, s := range rep.Silences {
		if slices.Contains(slices.Collect(maps.Values(q.Silences)), s.ID) {
			rep.Silences[i].Incidents++
		}
	}
}
