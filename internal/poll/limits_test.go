package poll

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

func TestFailingWithin(t *testing.T) {
	s := src(config.AbsentUnknown)
	s.FailingWithin = 10 * time.Minute
	at := func(ago time.Duration) observation.Item {
		it := thing("a", observation.Failing)
		it.Status, it.Evidence.LastSeen = "unresolved", tick.Add(-ago)
		return it
	}
	never := at(0)
	never.Evidence.LastSeen = time.Time{}
	ok := at(time.Hour)
	ok.Verdict = observation.Unknown
	for name, tt := range map[string]struct {
		it      observation.Item
		verdict observation.Verdict
		status  string
	}{
		"just now":          {at(0), observation.Failing, "unresolved"},
		"on the edge":       {at(10 * time.Minute), observation.Failing, "unresolved"},
		"too long ago":      {at(10*time.Minute + time.Second), observation.Healthy, "unresolved, last seen 2026-03-01T11:49:59Z"},
		"in the future":     {at(-time.Hour), observation.Failing, "unresolved"},
		"the vendor is mum": {never, observation.Unknown, "unresolved, not said when last seen"},
		"unknown stays so":  {ok, observation.Unknown, "unresolved"},
	} {
		groups, _ := group(s, tick, []observation.Item{tt.it})
		if g := groups[0]; g.Verdict != tt.verdict || g.Status != tt.status || g.Unseen != (name == "too long ago") {
			t.Errorf("%s: %s of %q, unseen %v, want %s of %q", name, g.Verdict, g.Status, g.Unseen, tt.verdict, tt.status)
		}
	}
	well := at(0)
	well.Verdict = observation.Healthy
	for _, items := range [][]observation.Item{{well, at(time.Hour)}, {at(time.Hour), well}} {
		if groups, _ := group(s, tick, items); len(groups) != 1 || groups[0].Verdict != observation.Healthy || !groups[0].Unseen {
			t.Errorf("beside a healthy item: %+v", groups)
		}
	}
	s.FailingWithin = 0
	if groups, _ := group(s, tick, []observation.Item{at(1000 * time.Hour)}); groups[0].Verdict != observation.Failing {
		t.Error("without a window an old failure does not count")
	}
}

func many(n int, v observation.Verdict) observation.Listing {
	l := observation.Listing{Complete: true}
	for i := range n {
		l.Items = append(l.Items, thing(fmt.Sprintf("%04d", i), v))
	}
	return l
}

// case S2: exactly the limit is not a flood; one more is, and it is reported once with
// examples and the count. Open keys are not part of it.
func TestCaseS2Overflow(t *testing.T) {
	s := src(config.AbsentHealthy)
	s.MaxNewIncidents = 100
	const key = "k1/overflow/source=sentry"
	if got := observe(s, tick, many(100, observation.Failing), nil); len(got.observations) != 100 || got.overflowed != 0 {
		t.Errorf("at the limit: %d observations, %d held", len(got.observations), got.overflowed)
	}
	got := observe(s, tick, many(101, observation.Failing), nil)
	if len(got.observations) != 1 || got.overflowed != 101 {
		t.Fatalf("over the limit: %d observations, %d held", len(got.observations), got.overflowed)
	}
	o := got.observations[0]
	if o.IncidentKey != key || o.Verdict != observation.Failing || o.Evidence.Count != 101 || len(o.Evidence.Samples) != 5 ||
		o.Evidence.Samples[0] != "thing 0000" || o.Source != "sentry/overflow" || o.Owner != "checkout" || !o.Tick.Equal(tick) {
		t.Errorf("overflow %+v", o)
	}
	open := watch([]string{"sentry"}, keyOf(t, "0007"))
	got = observe(s, tick, many(101, observation.Failing), open)
	if len(got.observations) != 101 || got.overflowed != 0 {
		t.Errorf("100 new beside an open one: %d observations, %d held", len(got.observations), got.overflowed)
	}
	got = observe(s, tick, many(150, observation.Failing), open)
	if v := verdicts(got.observations); len(v) != 2 || v[keyOf(t, "0007")] != observation.Failing || v[key] != observation.Failing {
		t.Errorf("149 new beside an open one: %v", v)
	}
}

// A flood ends only with a complete listing that shows none.
func TestOverflowEnds(t *testing.T) {
	s := src(config.AbsentHealthy)
	s.MaxNewIncidents = 10
	const key = "k1/overflow/source=sentry"
	watching := watch([]string{"sentry/overflow"}, key)
	half := observation.Listing{Problems: []observation.Problem{{What: "HTTP 500"}}}
	for name, tt := range map[string]struct {
		l    observation.Listing
		keys watched
		want observation.Verdict
	}{
		"still":                 {many(11, observation.Failing), watching, observation.Failing},
		"over":                  {many(2, observation.Failing), watching, observation.Healthy},
		"nobody watches":        {many(2, observation.Failing), nil, ""},
		"nobody knows":          {half, watching, ""},
		"healthy ones are none": {many(99, observation.Healthy), watching, observation.Healthy},
	} {
		if got := verdicts(observe(s, tick, tt.l, tt.keys).observations)[key]; got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	// The overflow does not resolve because the source's listing does not contain it.
	s.MaxNewIncidents = 0
	if got := observe(s, tick, many(500, observation.Failing), nil); len(got.observations) != 500 {
		t.Errorf("without a limit: %d observations", len(got.observations))
	}
}

// case U6: the skew of the vendor's clock, by the Date of its answers or by items that
// were seen in the future.
func TestCaseU6Skew(t *testing.T) {
	seen := func(at time.Time) observation.Listing {
		it := thing("a", observation.Failing)
		it.Evidence.LastSeen = at
		return observation.Listing{Items: []observation.Item{it}}
	}
	for name, tt := range map[string]struct {
		l    observation.Listing
		want time.Duration
	}{
		"none":                     {observation.Listing{}, 0},
		"the answer's date":        {observation.Listing{Skew: -time.Hour}, -time.Hour},
		"seen long ago is no skew": {seen(tick.Add(-1000 * time.Hour)), 0},
		"seen in the future":       {seen(tick.Add(time.Hour)), time.Hour},
	} {
		if got := skew(tt.l, tick); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
