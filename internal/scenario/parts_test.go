package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/silence"
)

// team replaces the owner's destinations with the 40 of a team.
func (r *rig) team(name string) {
	var ids []string
	for i := range 40 {
		id := fmt.Sprintf("%s-%02d", name, i)
		ids = append(ids, id)
		r.cfg.Destinations[id] = config.Destination{ID: id, Channel: config.ChannelSlackWebhook, WebhookURL: "env:SCENARIO_WEBHOOK"}
	}
	r.audience(ids...)
}

// handedOn opens an incident and hands it from team to team; each is reminded.
func handedOn(r *rig, teams ...string) {
	p := incident.DefaultPolicy()
	p.Cooldown, p.HealthyRequired = time.Minute, 1
	r.setPolicy(p)
	for n, name := range teams {
		r.team(name)
		r.decideOnly(observed(noon.Add(time.Duration(n)*time.Minute), observation.Failing))
	}
}

// ends counts the incident's resolves in the outbox that have a state, by destination.
func (r *rig) ends(state delivery.State) map[string]int {
	n := map[string]int{}
	for _, d := range r.ledger() {
		if d.Action == incident.Resolve && d.State == state {
			n[d.Destination]++
		}
	}
	return n
}

func eachOnce(t *testing.T, got map[string]int, want int) {
	t.Helper()
	for id, n := range got {
		if n != 1 {
			t.Errorf("%s has %d ends", id, n)
		}
	}
	if len(got) != want {
		t.Errorf("%d destinations have an end, want %d", len(got), want)
	}
}

// TestAnEndForMoreThanATransactionTakes: an incident is handed from team to team, and
// all of them are told of its resolve, each once.
func TestAnEndForMoreThanATransactionTakes(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		handedOn(r, "a", "b", "c", "d", "e", "f")
		r.decideOnly(observed(noon.Add(10*time.Minute), observation.Healthy))
		eachOnce(t, r.ends(delivery.Pending), 240)
		if st := r.state(); st.Open || st.Episode != 1 || !st.ResolvedAt.Equal(noon.Add(10*time.Minute)) {
			t.Errorf("the incident is %+v", st)
		}
		r.decideOnly(observed(noon.Add(11*time.Minute), observation.Healthy), observed(noon.Add(12*time.Minute), observation.Failing))
		eachOnce(t, r.ends(delivery.Pending), 240)
		if st := r.state(); !st.Open || st.Episode != 2 || len(st.Told) != 40 {
			t.Errorf("the next episode is %+v", st)
		}
	})
}

// TestAnEndInPartsUnderFaults: a worker is lost at each of the commits, before or
// after it. The incident is open until all destinations are told, and the present team
// is told last.
func TestAnEndInPartsUnderFaults(t *testing.T) {
	lost := errors.New("lost")
	for _, phase := range []memory.Phase{memory.Before, memory.After} {
		for at := range 3 {
			s := memory.New()
			r := newRig(t, s, newVendor())
			handedOn(r, "a", "b", "c", "d", "e", "f")
			n := 0
			s.SetHook(func(_ context.Context, c memory.Call) error {
				if c.Op != "Commit" || c.Phase != phase {
					return nil
				}
				if n++; n == at+1 {
					return lost
				}
				return nil
			})
			healthy := observed(noon.Add(10*time.Minute), observation.Healthy)
			if failed := r.decider().Decide(t.Context(), []observation.Observation{healthy}); len(failed) != 1 {
				t.Fatalf("%s %d: failed %v", phase, at, failed)
			}
			s.SetHook(nil)
			told := r.ends(delivery.Pending)
			if open := r.state().Open; open != (len(told) < 240) || (open && told["f-00"] > 0) {
				t.Errorf("%s %d: open %v when %d were told", phase, at, open, len(told))
			}
			r.decideOnly(healthy)
			eachOnce(t, r.ends(delivery.Pending), 240)
			if r.state().Open {
				t.Errorf("%s %d: still open", phase, at)
			}
		}
	}
}

// TestSilencedByManyTeams: many teams are silenced. If the incident resolves first, the
// resolve is suppressed once for each team; if the silence ends first, each is told.
func TestSilencedByManyTeams(t *testing.T) {
	quiet := silence.Silence{ID: "s-1", Match: silence.Match{Destination: "*"}, From: noon, Until: noon.Add(time.Hour)}
	t.Run("the incident", func(t *testing.T) {
		r := newRig(t, memory.New(), newVendor())
		r.cfg.Silences = silence.Set{quiet}
		handedOn(r, "a", "b", "c", "d")
		r.decideOnly(observed(noon.Add(10*time.Minute), observation.Healthy))
		eachOnce(t, r.ends(delivery.Silenced), 160)
	})
	t.Run("the silence", func(t *testing.T) {
		r := newRig(t, memory.New(), newVendor())
		r.cfg.Silences = silence.Set{quiet}
		handedOn(r, "a", "b", "c", "d")
		r.now = noon.Add(61 * time.Minute)
		for n := range 4 {
			if err := r.lapseAsOf(noon.Add(time.Duration(60+n) * time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		if st := r.state(); len(st.Told) != 160 || len(st.Silenced) != 0 {
			t.Errorf("%d are told, %d still silenced", len(st.Told), len(st.Silenced))
		}
	})
}
