package explain_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// gone is a store from which some rows have expired.
type gone struct {
	*memory.Store
	before   time.Time // observations
	decision func(incident.Decision) bool
	delivery func(delivery.Delivery) bool
}

func (g gone) Verdicts(ctx context.Context, key string, yield func(observation.Observation) error) error {
	return g.Store.Verdicts(ctx, key, func(o observation.Observation) error {
		if o.Tick.Before(g.before) {
			return nil
		}
		return yield(o)
	})
}

func (g gone) Decisions(ctx context.Context, key string) ([]incident.Decision, error) {
	all, err := g.Store.Decisions(ctx, key)
	if g.decision != nil {
		all = slices.DeleteFunc(all, g.decision)
	}
	return all, err
}

func (g gone) Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error) {
	all, err := g.Store.Episode(ctx, key, episode)
	if g.delivery != nil {
		all = slices.DeleteFunc(all, g.delivery)
	}
	return all, err
}

func (g gone) Episodes(ctx context.Context, key string, first, last int, yield func(delivery.Delivery) error) error {
	return g.Store.Episodes(ctx, key, first, last, func(d delivery.Delivery) error {
		if g.delivery != nil && g.delivery(d) {
			return nil
		}
		return yield(d)
	})
}

// TestMessagesThatOutliveTheirDecisionsAreShown: messages are kept longer than
// decisions. A message's id finds its attempts, and the report does not claim that
// nobody was told.
func TestMessagesThatOutliveTheirDecisionsAreShown(t *testing.T) {
	h := newHistory(t, incident.DefaultPolicy())
	const month = 30 * 24 * 60
	h.decide(seen("one", 0, observation.Failing), seen("one", 1, observation.Healthy), seen("one", 2, observation.Healthy))
	h.decide(seen("one", 3*month, observation.Failing))
	cfg := h.config()
	cfg.Retention.Decisions, cfg.Retention.Deliveries = 60*24*time.Hour, 400*24*time.Hour
	for name, c := range map[string]struct {
		kept  int64
		query explain.Query
		told  []int
	}{
		"all of the key":   {2, explain.Query{}, []int{1, 1, 2}},
		"its episode":      {2, explain.Query{Episode: 1}, []int{1, 1}},
		"another episode":  {2, explain.Query{Episode: 2}, []int{2}},
		"another time":     {2, explain.Query{From: at(month)}, []int{2}},
		"never the oldest": {0, explain.Query{}, []int{1, 1, 2}},
	} {
		g := gone{Store: h.store, before: at(month), decision: func(d incident.Decision) bool { return d.Seq <= c.kept }}
		x := explain.Explainer{Store: g, Config: cfg, Now: at(3*month + 5)}
		rep, err := x.Explain(t.Context(), explain.Found{Key: key, By: explain.ByKey}, c.query)
		if err != nil {
			t.Fatal(err)
		}
		var told []int
		for _, d := range rep.Deliveries {
			told = append(told, d.Episode)
		}
		if !slices.Equal(told, c.told) {
			t.Errorf("%s: messages of episodes %v, want %v", name, told, c.told)
		}
		expired := strings.Contains(rep.Why, "The decisions on episode 1 have expired; its messages are stored. The open to slack")
		if past := c.query.Episode == 1; strings.Contains(rep.Why, "is not known") != past {
			t.Errorf("%s: it says %s", name, rep.Why)
		}
		if want := c.kept > 0 && slices.Contains(told, 1); expired != want || strings.Contains(rep.Why, "Nobody was told") {
			t.Errorf("%s: it says %s", name, rep.Why)
		}
	}
}

// If all decisions have expired, the report does not claim that nobody was told.
func TestMessagesOfWhichNoDecisionIsLeft(t *testing.T) {
	h := newHistory(t, incident.DefaultPolicy())
	h.decide(seen("one", 0, observation.Failing), seen("one", 1, observation.Healthy), seen("one", 2, observation.Healthy))
	all := func(incident.Decision) bool { return true }
	for _, g := range []gone{{decision: all}, {decision: all, delivery: func(delivery.Delivery) bool { return true }}} {
		g.Store, g.before = h.store, at(10)
		x := explain.Explainer{Store: g, Config: h.config(), Now: at(3 * 30 * 24 * 60)}
		rep, err := x.Explain(t.Context(), explain.Found{Key: key, By: explain.ByKey}, explain.Query{})
		if err != nil {
			t.Fatal(err)
		}
		if kept := g.delivery == nil; len(rep.Deliveries) > 0 != kept || strings.Contains(rep.Why, "its messages are stored") != kept ||
			!strings.Contains(rep.Why, "is not known") || strings.Contains(rep.Why, "Nobody was told") {
			t.Errorf("%d messages; it says %s", len(rep.Deliveries), rep.Why)
		}
	}
}

// TestWhatHasExpiredIsNamedAndWhatIsMissingIsShown: of two episodes of one key the first
// was long ago. A missing row that may have expired is noted; one that cannot have, or
// that belongs to an open incident, is a difference.
func TestWhatHasExpiredIsNamedAndWhatIsMissingIsShown(t *testing.T) {
	h := newHistory(t, incident.DefaultPolicy())
	const month = 30 * 24 * 60
	for _, minute := range []int{0, 1} {
		h.decide(seen("one", minute, observation.Failing))
	}
	for _, minute := range []int{2, 3} {
		h.decide(seen("one", minute, observation.Healthy))
	}
	h.decide(seen("one", 3*month, observation.Failing))
	cfg := h.config()
	cfg.Retention.Decisions, cfg.Retention.Deliveries = 60*24*time.Hour, 60*24*time.Hour
	later := at(3*month + 5)
	first := func(d delivery.Delivery) bool { return d.Episode == 1 }
	for name, c := range map[string]struct {
		from  gone
		now   time.Time
		notes []string
		diffs []string
	}{
		"nothing": {gone{}, later, nil, nil},
		"observations": {gone{before: at(month)}, later, []string{
			"observations from before 2026-05-30 12:00 UTC have expired: what was decided before it (2 decisions) is told from the log alone",
		}, nil},
		"messages": {gone{delivery: first}, later, []string{
			"2 messages, the last decided on at 2026-03-01 12:03 UTC, have expired with their attempts; usage still counts them",
		}, nil},
		"messages too soon": {gone{delivery: first}, at(month), nil, []string{
			"open 1.1 was committed with a message to slack", "resolve 1.2 was committed with a message to slack",
		}},
		"messages of what is open": {gone{delivery: func(d delivery.Delivery) bool { return d.Episode == 2 }}, at(12 * month), nil, []string{
			"open 2.1 was committed with a message to slack",
		}},
		"decisions and what was seen": {gone{before: at(month), delivery: first, decision: func(d incident.Decision) bool { return d.Episode == 1 }}, later, []string{
			"2 decisions from before 2026-05-30 12:00 UTC have expired",
		}, nil},
		"decisions before what was seen": {gone{delivery: first, decision: func(d incident.Decision) bool { return d.Episode == 1 }}, later, []string{
			"2 decisions from before 2026-05-30 12:00 UTC have expired; 2 actions of the stored observations cannot be held against them",
		}, nil},
		"one of them, the others about to": {gone{delivery: first, before: at(month), decision: func(d incident.Decision) bool { return d.Seq == 2 }}, later, []string{
			"2 decisions from before 2026-05-30 12:00 UTC have expired",
		}, nil},
		"one of them too soon": {gone{before: at(month), decision: func(d incident.Decision) bool { return d.Seq == 2 }}, at(month), []string{
			"observations from before 2026-05-30 12:00 UTC have expired: what was decided before it (1 decision) is told from the log alone",
		}, []string{"no decision of the numbers 2", "no remind", "open 2.1, failing_streak 1/1"}},
		"the newest decision": {gone{decision: func(d incident.Decision) bool { return d.Seq == 3 }}, later, nil, []string{
			"no decision of the numbers 3", "no open",
		}},
	} {
		c.from.Store = h.store
		x := explain.Explainer{Store: c.from, Config: cfg, Now: c.now}
		rep, err := x.Explain(t.Context(), explain.Found{Key: key, By: explain.ByKey}, explain.Query{})
		if err != nil {
			t.Fatal(err)
		}
		var logs []string
		for _, d := range rep.Differences {
			logs = append(logs, d.Log)
		}
		rep.Notes = slices.DeleteFunc(rep.Notes, func(note string) bool { return strings.HasPrefix(note, "a reminder has been due") })
		if !slices.Equal(rep.Notes, c.notes) && len(rep.Notes)+len(c.notes) > 0 || !slices.Equal(logs, c.diffs) {
			t.Errorf("without %s it notes %q, want %q, and shows %q, want %q", name, rep.Notes, c.notes, logs, c.diffs)
		}
		var said bytes.Buffer
		if err := rep.WriteText(&said); err != nil || strings.Contains(said.String(), "!!!") != (len(c.diffs) > 0) {
			t.Errorf("without %s it says %s", name, said.String())
		}
	}
}

func TestCheckableDays(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	noon := day(20).Add(12 * time.Hour)
	for kept, want := range map[time.Duration]string{
		0:                   "2026-03-05 true",
		24 * time.Hour:      "2026-03-20 false",
		5 * 24 * time.Hour:  "2026-03-16 false",
		6 * 24 * time.Hour:  "2026-03-15 true",
		14 * 24 * time.Hour: "2026-03-07 true",
		15 * 24 * time.Hour: "2026-03-06 true",
		16 * 24 * time.Hour: "2026-03-05 true",
		90 * 24 * time.Hour: "2026-03-05 true",
	} {
		first, ok := explain.Checkable(day(5), day(15), noon, kept)
		if got := first.Format(time.DateOnly) + map[bool]string{true: " true", false: " false"}[ok]; got != want {
			t.Errorf("kept for %s: from %s, want %s", kept, got, want)
		}
	}
}

// TestAReminderThatIsLateIsExplained: a source that does not answer leaves no evidence,
// without which no reminder is sent.
func TestAReminderThatIsLateIsExplained(t *testing.T) {
	h := newHistory(t, incident.DefaultPolicy())
	h.decide(seen("one", 0, observation.Failing), seen("one", 1, observation.Failing))
	const late = "a reminder has been due since 2026-03-01 12:30 UTC: it goes out with the next poll that sees the failure, and the newest evidence is of 2026-03-01 12:01 UTC"
	for minute, want := range map[int]bool{2: false, 31: false, 40: true} {
		x := explain.Explainer{Store: h.store, Config: h.config(), Now: at(minute)}
		rep, err := x.Explain(t.Context(), explain.Found{Key: key, By: explain.ByKey}, explain.Query{})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(rep.Notes, late); got != want {
			t.Errorf("at minute %d: %q", minute, rep.Notes)
		}
	}
}
