package storetest

import (
	"testing"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

var stateChecks = []check{
	{"a state is saved only over the version it was read at", saveVersions},
	{"saves at once over one version: one wins (cases D1, D6)", saveAtOnce},
	{"states of many keys are read at once", manyStates},
	{"active keys are those open or on a failing streak", activeKeys},
	{"all active keys are found, in order", manyActive},
	{"incidents are states and nothing else", allIncidents},
	{"a caller shares no memory with the store", noSharing},
}

func state(t tb, s Store, key string) incident.State {
	t.Helper()
	return must(s.States(ctx, []string{key}))(t)[key]
}

func saveVersions(t *testing.T, s Store) {
	fails(t, s.Save(ctx, incident.State{Key: "k", Version: 1}), incident.ErrConflict)
	ok(t, s.Save(ctx, incident.State{Key: "k", FailingStreak: 1}))
	fails(t, s.Save(ctx, incident.State{Key: "k", FailingStreak: 9}), incident.ErrConflict)
	fails(t, s.Save(ctx, incident.State{Key: "k", Version: 2, FailingStreak: 9}), incident.ErrConflict)

	read := state(t, s, "k")
	equal(t, "version", read.Version, int64(1))
	equal(t, "streak", read.FailingStreak, 1)
	read.FailingStreak = 2
	ok(t, s.Save(ctx, read))
	fails(t, s.Save(ctx, read), incident.ErrConflict)
	equal(t, "version", state(t, s, "k").Version, int64(2))
	equal(t, "streak", state(t, s, "k").FailingStreak, 2)
}

func saveAtOnce(t *testing.T, s Store) {
	for version := range int64(3) {
		won := sideBySide(t, 6, incident.ErrConflict, func(int) error {
			return s.Save(ctx, incident.State{Key: "k", Version: version, FailingStreak: 1})
		})
		equal(t, "winners", won, 1)
	}
	equal(t, "version", state(t, s, "k").Version, int64(3))
}

func manyStates(t *testing.T, s Store) {
	keys := keysOf(205)
	for i, k := range keys {
		ok(t, s.Save(ctx, incident.State{Key: k, Episode: i}))
	}
	found := must(s.States(ctx, append(keys, "never seen", keys[0])))(t)
	equal(t, "found", len(found), len(keys))
	for i, k := range keys {
		equal(t, k, found[k], incident.State{Key: k, Version: 1, Episode: i})
	}
	equal(t, "of none", len(must(s.States(ctx, nil))(t)), 0)
	equal(t, "of unknown", len(must(s.States(ctx, []string{"never seen"}))(t)), 0)
}

func activeKeys(t *testing.T, s Store) {
	spoken := map[string]incident.SourceVerdict{
		"sentry": {Verdict: observation.Healthy, Tick: at(10)}, "datadog": {Verdict: observation.Healthy, Tick: at(10)},
	}
	ok(t, s.Save(ctx, incident.State{Key: "open", Open: true, Sources: spoken}))
	ok(t, s.Save(ctx, incident.State{Key: "failing", FailingStreak: 1}))
	ok(t, s.Save(ctx, incident.State{Key: "healthy", Sources: spoken}))
	equal(t, "active", must(s.ActiveKeys(ctx))(t), []incident.Active{
		{Key: "failing"}, {Key: "open", Sources: []string{"datadog", "sentry"}},
	})

	over := state(t, s, "open")
	over.Open = false
	ok(t, s.Save(ctx, over))
	again := state(t, s, "healthy")
	again.FailingStreak = 1
	delete(again.Sources, "datadog")
	ok(t, s.Save(ctx, again))
	equal(t, "active", must(s.ActiveKeys(ctx))(t), []incident.Active{
		{Key: "failing"}, {Key: "healthy", Sources: []string{"sentry"}},
	})
}

func manyActive(t *testing.T, s Store) {
	keys := keysOf(150)
	for i := range keys {
		ok(t, s.Save(ctx, incident.State{Key: keys[len(keys)-1-i], Open: true}))
	}
	var found []string
	for _, a := range must(s.ActiveKeys(ctx))(t) {
		found = append(found, a.Key)
	}
	equal(t, "active keys", found, keys)
}

func allIncidents(t *testing.T, s Store) {
	inserted(t, s, pending("a", 1, "slack", at(10)), pending("b", 1, "slack", at(10)))
	found := map[string]int64{}
	ok(t, s.Incidents(ctx, func(st incident.State) error {
		found[st.Key] = st.Version
		return nil
	}))
	equal(t, "incidents", found, map[string]int64{"a": 1, "b": 1})
}

func noSharing(t *testing.T, s Store) {
	fresh := func() incident.State {
		return incident.State{
			Key: "k", Sources: map[string]incident.SourceVerdict{"sentry": {Verdict: observation.Failing, Tick: at(10)}},
			Parts: []observation.Part{{Name: "issue", Value: "1"}}, Evidence: observation.Evidence{Samples: []string{"one"}},
		}
	}
	spoil := func(st incident.State) {
		st.Sources["datadog"] = incident.SourceVerdict{}
		st.Parts[0].Value, st.Evidence.Samples[0] = "2", "two"
	}
	want := fresh()
	want.Version = 1

	given := fresh()
	ok(t, s.Save(ctx, given))
	spoil(given)
	equal(t, "after the writer's change", state(t, s, "k"), want)
	spoil(state(t, s, "k"))
	equal(t, "after the reader's change", state(t, s, "k"), want)
}
