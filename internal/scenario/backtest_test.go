package scenario_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/recorded"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// TestCaseO3ABacktestOfTheLivePolicyGivesTheLiveNotices: a backtest of the stored rows
// gives the live notices, on both stores and whatever became of the messages. It sends
// nothing.
func TestCaseO3ABacktestOfTheLivePolicyGivesTheLiveNotices(t *testing.T) {
	for name, change := range map[string]func(*incident.Policy){
		"as it comes":  func(*incident.Policy) {},
		"slow to open": func(p *incident.Policy) { p.FailingRequired, p.HealthyRequired = 2, 3 },
		"reminding":    func(p *incident.Policy) { p.Cooldown, p.CooldownGrowth, p.MaxReminders = 2*time.Minute, 1.5, 3 },
		"flapping":     func(p *incident.Policy) { p.FlapEpisodes, p.FlapWindow, p.FlapStableTicks = 2, time.Hour, 4 },
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				v := newVendor()
				r := newRig(t, s, v)
				p := incident.DefaultPolicy()
				change(&p)
				r.setPolicy(p)
				r.play(v, "FFUFHHHEFFFFFFPHAHFHHHFFFHHHH")
				live := r.decided()
				calls := len(r.inbox.Calls())
				if got := r.backtested(s.(recorded.Store)); len(live) < 2 || !slices.Equal(got, live) {
					t.Errorf("live\n%v\nreplayed\n%v", live, got)
				}
				if now := len(r.inbox.Calls()); now != calls {
					t.Errorf("the backtest called %d times", now-calls)
				}
			})
		})
	}
}

// decided returns the notices of play's key in the outbox, each once for all its
// destinations.
func (r *rig) decided() []string {
	r.t.Helper()
	var all []string
	err := r.tap.Deliveries(r.t.Context(), func(d delivery.Delivery) error {
		all = append(all, fmt.Sprintf("%s %d.%d %s %s", d.IncidentKey, d.Episode, d.Sequence, d.Action, observation.FormatTick(d.Tick)))
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// backtested replays the rows of a store by the configured policies.
func (r *rig) backtested(s recorded.Store) []string {
	r.t.Helper()
	tools := replay.Tools{
		Recorded: func() (trace.Rows, error) { return recorded.Rows(r.t.Context(), s), nil },
		Live: func() (replay.Candidate, replay.Pricing, error) {
			return recorded.Live(r.cfg), recorded.Pricing(r.cfg), nil
		},
	}
	path := filepath.Join(r.t.TempDir(), "notices.jsonl")
	var errs bytes.Buffer
	if code := tools.Backtest([]string{"--recorded", "--live", "--quiet", "--notices", path}, io.Discard, &errs); code != 0 {
		r.t.Fatalf("exit status %d: %s", code, errs.String())
	}
	content, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatal(err)
	}
	var all []string
	for dec := json.NewDecoder(bytes.NewReader(content)); dec.More(); {
		var n replay.Notice
		if err := dec.Decode(&n); err != nil {
			r.t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s %d.%d %s %s", n.IncidentKey, n.Episode, n.Sequence, n.Action, n.Tick))
	}
	slices.Sort(all)
	return all
}
