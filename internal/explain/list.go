package explain

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// Filter selects incidents. A zero field selects all.
type Filter struct {
	// Statuses are values of Status. SilencedStatus and AckedStatus also select the
	// open or failing incidents that are silenced or acknowledged.
	Statuses []string
	Owner    string
	Source   string
	// MinAge and MaxAge bound the time since the first failing tick, or since the end
	// of an incident that is resolved.
	MinAge, MaxAge time.Duration
}

// Listed is one incident of a list.
type Listed struct {
	Key     string   `json:"incident_key"`
	Title   string   `json:"title"`
	Status  string   `json:"status"`
	Owner   string   `json:"owner"`
	Sources []string `json:"sources"`
	// Since is the first failing tick of the streak or episode, or the tick of the
	// resolve.
	Since         time.Time `json:"since,omitzero"`
	AgeSeconds    int64     `json:"age_seconds"`
	Episode       int       `json:"episode"`
	FailingStreak int       `json:"failing_streak"`
	LastNotified  time.Time `json:"last_notified,omitzero"`
	NextReminder  time.Time `json:"next_reminder,omitzero"`
	ResolvedAt    time.Time `json:"resolved_at,omitzero"`
	// Quiet says what keeps the incident quiet now.
	Quiet Quiet `json:"quiet"`
}

// List returns the incidents that a filter selects as of a time, oldest first. It reads
// every incident's row, and one log for each source that is not configured.
func (x *Explainer) List(ctx context.Context, f Filter, now time.Time) ([]Listed, error) {
	all, states := []Listed{}, []incident.State{}
	err := x.Store.Incidents(ctx, func(s incident.State) error {
		if l := x.listed(s, now); f.matches(l, now) {
			all, states = append(all, l), append(states, s)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	policies, err := x.reminderPolicies(ctx, states)
	for i, s := range states {
		if p, ok := policies[s.Source]; ok {
			all[i].NextReminder = s.NextReminder(p)
		}
	}
	slices.SortFunc(all, func(a, b Listed) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Key, b.Key))
	})
	return all, err
}

func (x *Explainer) listed(s incident.State, now time.Time) Listed {
	cfg := x.Config
	l := Listed{
		Key: s.Key, Title: notice.OneLine(cmp.Or(s.Title, s.Summary)), Status: Status(s), Owner: s.Owner,
		Sources: slices.Sorted(maps.Keys(s.Sources)), Since: s.StreakStart, Episode: s.Episode,
		FailingStreak: s.FailingStreak, LastNotified: s.LastNotified, ResolvedAt: s.ResolvedAt,
	}
	if l.Status == "resolved" || l.Status == "quiet" {
		// The streak is over: the age is that of the resolve.
		l.Since = s.ResolvedAt
	} else {
		l.ResolvedAt = time.Time{}
	}
	if !l.Since.IsZero() {
		l.AgeSeconds = int64(now.Sub(l.Since) / time.Second)
	}
	l.Quiet = x.quietOf(s, now)
	if cfg == nil {
		return l
	}
	// The configured owner overrides the stored one.
	if owner, ok := cfg.OwnerOf(s.Source); ok {
		l.Owner = owner.ID
	}
	return l
}

func (f Filter) matches(l Listed, now time.Time) bool {
	age := now.Sub(l.Since)
	return f.matchesStatus(l) &&
		(f.Owner == "" || f.Owner == l.Owner) &&
		(f.Source == "" || slices.Contains(l.Sources, f.Source)) &&
		(f.MinAge == 0 || age >= f.MinAge) &&
		(f.MaxAge == 0 || age <= f.MaxAge)
}

func (f Filter) matchesStatus(l Listed) bool {
	has := func(s string) bool { return slices.Contains(f.Statuses, s) }
	return len(f.Statuses) == 0 || has(l.Status) || (has(SilencedStatus) && len(l.Quiet.Silences) > 0) || (has(AckedStatus) && l.Quiet.Ack != "")
}

// WriteList writes a list for a terminal.
func WriteList(out io.Writer, all []Listed) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "status\tage\towner\tsource\tepisode\tlast told\tnext reminder\tquiet\tincident\tkey")
	for _, l := range all {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", l.Status, l.age(),
			l.Owner, list(l.Sources), l.Episode, clock(l.LastNotified), clock(l.NextReminder), l.Quiet.text(), l.Title, l.Key)
	}
	return t.Flush()
}

func (l Listed) age() string {
	if l.Since.IsZero() {
		return "-"
	}
	return notice.Duration(time.Duration(l.AgeSeconds) * time.Second)
}
