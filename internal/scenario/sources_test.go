package scenario_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

func failures(n int) observation.Listing {
	var items []observation.Item
	for i := range n {
		items = append(items, item(fmt.Sprintf("card-%c", 'a'+i), observation.Failing))
	}
	return whole(items...)
}

// minutes plays one listing a minute and returns what every destination was told.
func (r *rig) minutes(v *vendor, listings ...observation.Listing) string {
	r.t.Helper()
	out := make([]string, len(listings))
	for i, l := range listings {
		v.set(r.cfg.Sources[0].ID, l)
		r.tick(i)
		out[i] = r.toldEqually()
	}
	return strings.Join(out, " ")
}

// TestCaseS1AndS2AFloodIsOneIncident is cases S1 and S2: a flood is told once, and so
// is its end. No key that was not told of is told as resolved.
func TestCaseS1AndS2AFloodIsOneIncident(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.cfg.Sources[0].MaxNewIncidents = 3
	got := r.minutes(v, failures(5), failures(5), failures(6), failures(0), failures(0), failures(0), failures(1), failures(5), failures(0), failures(0))
	// The fifth listing ends the flood. Later one key opens; four more with it are
	// a flood again, which ends together with that key.
	want := "open - - - resolve - open open - resolve+resolve"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var keys []string
	_ = r.tap.Incidents(t.Context(), func(s incident.State) error { keys = append(keys, s.Key); return nil })
	if len(keys) != 2 {
		t.Errorf("there are states of %v, want those of the overflow and of card-a", keys)
	}
}

// TestRateLimitBeyondThePollSkipsPolls: a vendor limits requests for longer than a
// poll can wait. It is not polled before that, and the source is unreachable
// meanwhile.
func TestRateLimitBeyondThePollSkipsPolls(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	limited := broken("HTTP 429")
	limited.NotBefore = noon.Add(3*time.Minute + 30*time.Second)
	got := r.minutes(v, limited, failures(1), failures(1), failures(1), failures(1), failures(1))
	if want := "- - open - open+resolve -"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := v.polls("vendor"); n != 3 {
		t.Errorf("the vendor was asked %d times, want at 12:00, 12:04 and 12:05", n)
	}
	runs, err := r.tap.Runs(t.Context(), "vendor", 9)
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	for _, run := range runs {
		states = append(states, string(run.State))
		if run.State == observation.RunSkipped && (!run.NotBefore.Equal(limited.NotBefore) || len(run.Problems) != 1) {
			t.Errorf("skipped run %+v", run)
		}
	}
	if got, want := strings.Join(states, " "), "ok ok skipped skipped skipped failed"; got != want {
		t.Errorf("runs %s, want %s", got, want)
	}
}

// TestCaseU6VendorTimesDecideNothing is case U6: vendor times far from ours cause a
// warning and nothing else.
func TestCaseU6VendorTimesDecideNothing(t *testing.T) {
	for _, off := range []time.Duration{0, -1000 * time.Hour, 1000 * time.Hour} {
		v := newVendor()
		r := newRig(t, memory.New(), v)
		it := item("card", observation.Failing)
		it.Evidence.FirstSeen, it.Evidence.LastSeen = noon.Add(off), noon.Add(off)
		got := r.minutes(v, whole(it), whole(it), whole(), whole())
		if want := "open - - resolve"; got != want {
			t.Errorf("off by %s: got %s, want %s", off, got, want)
		}
	}
}

// TestFailingWithinAWindow: an unresolved error without new events is over after its
// window, and a new event opens it again.
func TestFailingWithinAWindow(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.cfg.Sources[0].FailingWithin, r.cfg.Sources[0].Absent = 2*time.Minute, config.AbsentUnknown
	at := func(minute int) observation.Listing {
		it := item("card", observation.Failing)
		it.Evidence.LastSeen = noon.Add(time.Duration(minute) * time.Minute)
		return whole(it)
	}
	if got, want := r.minutes(v, at(0), at(0), at(0), at(0), at(0), at(5)), "open - - - resolve open"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The message and the log say what is known, which is not that it recovered.
	if post := r.posts()[1]; !strings.Contains(post, "NO LONGER SEEN in test") || !strings.Contains(post, "the source still lists it, but has not seen it fail for longer than failing_within; 2 such polls in a row") {
		t.Errorf("the end reads:\n%s", post)
	}
	rep := r.explained(r.state().Key, explain.Query{})
	if !strings.Contains(fmt.Sprint(rep), "no_longer_seen 2/2") {
		t.Errorf("explained as %+v", rep)
	}
	runs, err := r.tap.Runs(t.Context(), "vendor", 2)
	if err != nil || runs[0].Failing != 1 || runs[1].Healthy != 1 || runs[1].Failing != 0 {
		t.Errorf("runs %+v, %v: what counts is what the items came to", runs, err)
	}
}

// knowing is a vendor that returns more about one failure when it is asked.
type knowing struct {
	*vendor
	asked int
}

func (k *knowing) Enrich(_ context.Context, _ config.Source, have observation.Evidence) (observation.Evidence, error) {
	k.asked++
	have.Deployment, have.Samples = fmt.Sprintf("v42-%d", k.asked), []string{fmt.Sprintf("stack trace %d", k.asked)}
	return have, nil
}

// TestEnrichmentReachesEveryMessage: what was asked about a new failure is in every
// message about it, even if it opens later, and is asked again in its next episode.
func TestEnrichmentReachesEveryMessage(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := &knowing{vendor: newVendor()}
		r := newRig(t, s, v)
		p := incident.DefaultPolicy()
		p.FailingRequired, p.HealthyRequired, p.Cooldown = 3, 1, 2*time.Minute
		r.setPolicy(p)
		r.cfg.Sources[0].Enrich.URL = "https://vendor.example.com/{id}"
		seen := func(n int) observation.Listing {
			it := item("card", observation.Failing)
			it.Evidence.Count, it.Evidence.Samples = int64(n), []string{"from the list"}
			return whole(it)
		}
		got := r.minutes(v.vendor, seen(3), seen(4), seen(5), seen(6), seen(7), whole(), seen(1), seen(1), seen(1))
		if want := "- - open - remind resolve - - open"; got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
		posts := r.posts()
		for i, want := range [][]string{
			{"v42-1", "stack trace 1", "5 times"}, {"v42-1", "stack trace 1", "7 times"}, {"v42-1", "7 times"}, {"v42-2", "stack trace 2", "once"},
		} {
			for _, word := range want {
				if !strings.Contains(posts[i], word) {
					t.Errorf("message %d lacks %q:\n%s", i+1, word, posts[i])
				}
			}
			if strings.Contains(posts[i], "from the list") {
				t.Errorf("message %d has lost what was asked for:\n%s", i+1, posts[i])
			}
		}
		if v.asked != 2 {
			t.Errorf("asked %d times about two episodes", v.asked)
		}
	})
}
