package poll

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

var tick = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func src(absent config.Absent) config.Source {
	return config.Source{ID: "sentry", Owner: "checkout", Absent: absent, UnreachableAfter: 3, Interval: time.Minute}
}

func thing(id string, v observation.Verdict) observation.Item {
	return observation.Item{
		Kind: "error", Verdict: v, Status: "s-" + string(v), Summary: "thing " + id,
		Parts:    []observation.Part{{Name: "issue", Value: id}},
		Evidence: observation.Evidence{Count: 1, VendorID: id},
	}
}

func keyOf(t *testing.T, id string) string {
	t.Helper()
	key, err := incident.Key("error", []observation.Part{{Name: "issue", Value: id}})
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func watch(sources []string, keys ...string) watched {
	w := watched{}
	for _, k := range keys {
		w[k] = incident.Active{Key: k, Sources: sources}
	}
	return w
}

// verdicts maps each observation's key to its verdict.
func verdicts(obs []observation.Observation) map[string]observation.Verdict {
	m := map[string]observation.Verdict{}
	for _, o := range obs {
		m[o.IncidentKey] = o.Verdict
	}
	return m
}

func TestObserve(t *testing.T) {
	a, b := keyOf(t, "a"), keyOf(t, "b")
	sentry, other := []string{"sentry"}, []string{"other"}
	full := func(items ...observation.Item) observation.Listing {
		return observation.Listing{Items: items, Complete: true}
	}
	half := func(items ...observation.Item) observation.Listing {
		return observation.Listing{Items: items, Problems: []observation.Problem{{Where: "page 2", What: "HTTP 500"}}}
	}
	reach := "k1/heartbeat/source=sentry"
	for name, tc := range map[string]struct {
		absent config.Absent
		l      observation.Listing
		keys   watched
		want   map[string]observation.Verdict
	}{
		"a new failing key is told":                    {config.AbsentHealthy, full(thing("a", observation.Failing)), nil, map[string]observation.Verdict{a: observation.Failing}},
		"a healthy key nobody watches is not told":     {config.AbsentHealthy, full(thing("a", observation.Healthy)), nil, map[string]observation.Verdict{}},
		"a watched healthy key is told":                {config.AbsentUnknown, full(thing("a", observation.Healthy)), watch(other, a), map[string]observation.Verdict{a: observation.Healthy}},
		"case U4 a watched unknown key is told":        {config.AbsentHealthy, full(thing("a", observation.Unknown)), watch(sentry, a), map[string]observation.Verdict{a: observation.Unknown}},
		"an unknown key nobody watches is not told":    {config.AbsentHealthy, full(thing("a", observation.Unknown)), nil, map[string]observation.Verdict{}},
		"case U2 absent from a complete set":           {config.AbsentHealthy, full(), watch(sentry, a), map[string]observation.Verdict{a: observation.Healthy}},
		"case U2 absent, and absence means nothing":    {config.AbsentUnknown, full(), watch(sentry, a), map[string]observation.Verdict{}},
		"absent from a source that never spoke for it": {config.AbsentHealthy, full(), watch(other, a), map[string]observation.Verdict{}},
		"case U2 absent because page 2 failed":         {config.AbsentHealthy, half(), watch(sentry, a), map[string]observation.Verdict{reach: observation.Failing}},
		"failing on the page that was read":            {config.AbsentHealthy, half(thing("a", observation.Failing)), watch(sentry, b), map[string]observation.Verdict{a: observation.Failing, reach: observation.Failing}},
		"healthy on a broken set vouches for nothing":  {config.AbsentHealthy, half(thing("a", observation.Healthy)), watch(sentry, a), map[string]observation.Verdict{reach: observation.Failing}},
		"a watched source that is readable again":      {config.AbsentHealthy, full(), watch(sentry, reach), map[string]observation.Verdict{reach: observation.Healthy}},
	} {
		t.Run(name, func(t *testing.T) {
			got := observe(src(tc.absent), tick, tc.l, tc.keys)
			if diff := cmp.Diff(tc.want, verdicts(got.observations)); diff != "" {
				t.Error(diff)
			}
			for _, o := range got.observations {
				if !o.Tick.Equal(tick) || o.Owner != "checkout" {
					t.Errorf("observation without its tick or owner: %+v", o)
				}
			}
		})
	}
}

func TestAbsenceSaysWhichKindOfHealth(t *testing.T) {
	a := keyOf(t, "a")
	for absent, missing := range map[config.Absent]bool{config.AbsentHealthy: false, config.AbsentMissing: true} {
		got := observe(src(absent), tick, observation.Listing{Complete: true}, watch([]string{"sentry"}, a))
		if len(got.observations) != 1 || got.observations[0].Missing != missing {
			t.Errorf("absent: %s gives %+v", absent, got.observations)
		}
	}
}

func TestAnItemWithoutAKeyIsAProblemAndProvesNoAbsence(t *testing.T) {
	a := keyOf(t, "a")
	broken := thing("", observation.Failing)
	got := observe(src(config.AbsentHealthy), tick,
		observation.Listing{Complete: true, Items: []observation.Item{broken, thing("b", observation.Failing)}},
		watch([]string{"sentry"}, a))
	if got.complete || len(got.problems) != 1 {
		t.Fatalf("complete=%v problems=%v", got.complete, got.problems)
	}
	v := verdicts(got.observations)
	if v[a] != "" || v[keyOf(t, "b")] != observation.Failing {
		t.Errorf("got %v", v)
	}
}

func TestSeveralItemsOfOneKey(t *testing.T) {
	early, late := thing("a", observation.Failing), thing("a", observation.Failing)
	early.Evidence = observation.Evidence{Count: 2, FirstSeen: tick.Add(-time.Hour), LastSeen: tick.Add(-time.Minute), Link: "old", Samples: []string{"1", "2"}}
	late.Evidence = observation.Evidence{Count: 3, FirstSeen: tick.Add(-time.Minute), LastSeen: tick, Link: "new", Samples: []string{"3", "4"}}
	healthy, unknown := thing("a", observation.Healthy), thing("a", observation.Unknown)
	for _, order := range [][]observation.Item{{early, late, healthy, unknown}, {unknown, healthy, late, early}, {healthy, early, unknown, late}} {
		groups, _ := group(src(config.AbsentHealthy), tick, order)
		if len(groups) != 1 {
			t.Fatalf("%d groups", len(groups))
		}
		want := observation.Evidence{Count: 5, FirstSeen: tick.Add(-time.Hour), LastSeen: tick, Link: "new", Samples: []string{"3", "4", "1"}}
		if diff := cmp.Diff(want, groups[0].Evidence); diff != "" || groups[0].Verdict != observation.Failing {
			t.Errorf("verdict %s, evidence %s", groups[0].Verdict, diff)
		}
	}
	early.Evidence.Count = math.MaxInt64
	groups, _ := group(src(config.AbsentHealthy), tick, []observation.Item{early, late})
	if n := groups[0].Evidence.Count; n != math.MaxInt64 {
		t.Errorf("more than can be counted is %d", n)
	}
	groups, _ = group(src(config.AbsentHealthy), tick, []observation.Item{healthy, unknown})
	if groups[0].Verdict != observation.Unknown {
		t.Errorf("one unknown item leaves the key %s", groups[0].Verdict)
	}
}
