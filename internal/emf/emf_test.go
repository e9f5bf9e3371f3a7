package emf

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"
)

var at = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func flushed(t *testing.T, record func(*Recorder)) []string {
	t.Helper()
	var out bytes.Buffer
	r := New(&out, "test", func() time.Time { return at })
	record(r)
	if err := r.Flush(); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func TestALineIsWhatTheFormatAsksFor(t *testing.T) {
	got := flushed(t, func(r *Recorder) {
		r.Add(Attempts, 1, Of{Channel: "ses", Owner: "basket", Source: "dropped"})
		r.Add(Attempts, 2, Of{Channel: "ses", Owner: "basket"})
	})
	want := `{"Attempts":3,"Channel":"ses","Owner":"basket","Stack":"test","_aws":{"CloudWatchMetrics":[` +
		`{"Namespace":"Ringonce","Dimensions":[["Stack"],["Stack","Channel"],["Stack","Owner"]],"Metrics":[{"Name":"Attempts","Unit":"Count"}]}],` +
		`"Timestamp":1767323045000}}`
	if len(got) != 1 || got[0] != want {
		t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n"), want)
	}
}

// More values than a line may hold go on in another, and none is lost.
func TestManyValuesFillManyLines(t *testing.T) {
	lines := flushed(t, func(r *Recorder) {
		for i := range 201 {
			r.Add(TimeToDetect, float64(i), nil)
		}
		r.Add(Heartbeat, 1, nil)
	})
	total := 0
	for _, l := range lines {
		var got struct{ TimeToDetect any }
		if err := json.Unmarshal([]byte(l), &got); err != nil {
			t.Fatal(err)
		}
		if values, ok := got.TimeToDetect.([]any); ok {
			total += len(values)
			if len(values) > maxValues {
				t.Errorf("a line of %d values", len(values))
			}
		} else {
			total++
		}
	}
	if total != 201 || len(lines) != 3 || strings.Count(strings.Join(lines, ""), `"Heartbeat":1`) != 1 {
		t.Errorf("%d values in %d lines", total, len(lines))
	}
}

func TestNothingIsWrittenTwice(t *testing.T) {
	var out bytes.Buffer
	r := New(&out, "test", func() time.Time { return at })
	r.Add(Swept, 1, nil)
	for range 2 {
		if err := r.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(out.String(), "\n"); n != 1 {
		t.Errorf("%d lines", n)
	}
}

// Case O4: what CloudWatch charges for by value is never an incident's key.
func TestCaseO4NoDimensionIsAnIncident(t *testing.T) {
	few := []string{Source, Action, Channel, Destination, Owner}
	for name, m := range Metrics {
		for _, d := range m.By {
			if !slices.Contains(few, d) {
				t.Errorf("metric %s is seen by %s", name, d)
			}
		}
	}
}

// logged returns the sums of what lines of the functions count, also of those
// that the log leaves out.
func logged(t *testing.T, write func(*slog.Logger)) map[string]float64 {
	t.Helper()
	sums := map[string]float64{}
	for _, l := range flushed(t, func(r *Recorder) {
		write(Log(slog.New(slog.NewJSONHandler(io.Discard, nil)).With("a", "b"), r))
	}) {
		var got map[string]any
		if err := json.Unmarshal([]byte(l), &got); err != nil {
			t.Fatalf("%v in %q", err, l)
		}
		for name, v := range got {
			if n, ok := v.(float64); ok {
				sums[name] += n
			}
			for _, n := range many(v) {
				sums[name] += n
			}
		}
	}
	return sums
}

// many are the values of a metric that keeps each.
func many(v any) []float64 {
	list, _ := v.([]any)
	var out []float64
	for _, one := range list {
		n, _ := one.(float64)
		out = append(out, n)
	}
	return out
}

func TestWhatTheLinesCount(t *testing.T) {
	tick := time.Now().UTC().Add(-time.Minute).Format(time.RFC3339)
	got := logged(t, func(log *slog.Logger) {
		log.Info("poll", "source", "sentry", "outcome", "ok", "requests", 3, "rate_limited", 1, "retries", 1, "waited_ms", 1500, "skew_ms", -90, "written", 4)
		log.Warn("poll", "source", "sentry", "outcome", "failed", "requests", 2, "waited_ms", 500)
		log.Debug("poll", "source", "sentry", "outcome", "already_claimed")
		log.Debug("decision", "action", "none", "reason", "stale_observation last=x", "tick", tick)
		log.Info("decision", "action", "open", "reason", "threshold", "tick", tick)
		log.Info("delivery", "channel", "ses", "owner", "basket", "state", "delivered", "outcome", "accepted", "tick", tick)
		log.Warn("delivery", "channel", "ses", "owner", "basket", "state", "dead", "outcome", "permanent")
		log.Warn("delivery", "channel", "ses", "owner", "basket", "state", "pending", "outcome", "rate_limited")
		log.Warn("delivery", "channel", "ses", "owner", "basket", "state", "held", "outcome", "")
		log.Debug("delivery", "state", "not_claimable")
		log.Debug("delivery", "state", "already_written")
		log.Info("sweep", "taken", 7)
		log.Info("something else", "taken", 7)
	})
	for name, least := range map[Name]float64{TimeToDetect: 60e3, TimeToNotify: 60e3} {
		if got[string(name)] < least {
			t.Errorf("%s is %v", name, got[string(name)])
		}
		delete(got, string(name))
	}
	want := map[Name]float64{
		VendorRequests: 5, VendorRateLimited: 1, VendorRetries: 1, VendorWait: 2000, Observations: 4, UnreadablePolls: 1, Decisions: 2, DuplicatesPrevented: 4,
		VendorSkew: -90, Attempts: 3, Deliveries: 1, DeadDeliveries: 1, HeldDeliveries: 1, RateLimited: 1, Swept: 7,
	}
	for name, n := range want {
		if got[string(name)] != n {
			t.Errorf("%s is %v, want %v", name, got[string(name)], n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("counted %v", got)
	}
}

// Case C3: a message that is dead names its destination and its owner, by whom the
// metric can be seen.
func TestCaseC3ADeadMessageNamesItsDestinationAndOwner(t *testing.T) {
	got := strings.Join(flushed(t, func(r *Recorder) {
		Log(slog.New(slog.NewJSONHandler(io.Discard, nil)), r).Warn("delivery",
			"destination", "slack-basket", "channel", "slack_webhook", "owner", "basket", "state", "dead")
	}), "\n")
	for _, want := range []string{
		`"DeadDeliveries":1`, `"Destination":"slack-basket"`, `"Owner":"basket"`, `[["Stack"],["Stack","Destination"],["Stack","Owner"]]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the metrics lack %s:\n%s", want, got)
		}
	}
}

func TestTheLogIsLeftAsItIs(t *testing.T) {
	var out bytes.Buffer
	log := Log(slog.New(slog.NewJSONHandler(&out, nil)), New(io.Discard, "test", time.Now))
	log.Debug("poll", "source", "sentry")
	log.Info("poll", "source", "sentry")
	if n := strings.Count(out.String(), "\n"); n != 1 {
		t.Errorf("%d lines: %s", n, out.String())
	}
}
