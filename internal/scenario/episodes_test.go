package scenario_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/memory"
)

// run plays a time line with one tick a minute. faults are what Slack does before a
// tick.
func (r *rig) run(v *vendor, line string, faults map[int][]inbox.Fault) {
	r.t.Helper()
	for n, l := range []byte(line) {
		r.inbox.Script(slackDest, faults[n]...)
		v.set("vendor", listingFor(r.t, l))
		r.tick(n)
	}
}

// actionsAt returns the actions that a destination was told, in order, including
// repeats.
func (r *rig) actionsAt(destination string) []string {
	r.t.Helper()
	var out []string
	all := r.ledger()
	for _, m := range r.inbox.Messages() {
		at := slices.IndexFunc(all, func(d delivery.Delivery) bool { return d.ID == m.DeliveryID })
		if at >= 0 && all[at].Destination == destination {
			out = append(out, string(all[at].Action))
		}
	}
	return out
}

// TestTheNextEpisodeWaitsForTheEarlierOne is case R1 across episodes: whatever the
// destination refuses meanwhile, the last message is that of the open incident.
func TestTheNextEpisodeWaitsForTheEarlierOne(t *testing.T) {
	down := func(n int) []inbox.Fault { return slices.Repeat([]inbox.Fault{inbox.ServerError()}, n) }
	for name, tc := range map[string]struct {
		line   string
		faults map[int][]inbox.Fault
		want   string
	}{
		"a resolve fails once":       {"FHFFFFFF", map[int][]inbox.Fault{1: down(1)}, "open resolve open"},
		"a resolve fails longer":     {"FHFFFFFFFFFF", map[int][]inbox.Fault{1: down(3)}, "open resolve open"},
		"all fail for some minutes":  {"FHFFFFFF", map[int][]inbox.Fault{0: down(3)}, "open resolve open"},
		"a pause over both episodes": {"FHFFFFFFFFFF", map[int][]inbox.Fault{0: {inbox.RateLimited(300)}}, "open resolve open"},
		"three episodes wait":        {"FHFHFFFFFFFF", map[int][]inbox.Fault{0: {inbox.RateLimited(300)}}, "open resolve open resolve open"},
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				v := newVendor()
				r := newRig(t, s, v)
				p := incident.DefaultPolicy()
				p.HealthyRequired = 1
				r.setPolicy(p)
				r.run(v, tc.line, tc.faults)
				if got := strings.Join(r.actionsAt(slackDest), " "); got != tc.want {
					t.Errorf("told %s, want %s", got, tc.want)
				}
			})
		})
	}
}

// TestAReminderStandsByItself: the open is refused permanently, the address is
// repaired, and the reminder arrives.
func TestAReminderStandsByItself(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	p := incident.DefaultPolicy()
	p.Cooldown = 5 * time.Minute
	r.setPolicy(p)
	r.run(v, "FFFFFFFFFFFF"+strings.Repeat("F", 60)+"HH", map[int][]inbox.Fault{0: {inbox.Fault{Status: 400, Word: "invalid_payload"}}})
	got := r.actionsAt(slackDest)
	if len(got) < 5 || got[0] != "remind" || got[len(got)-1] != "resolve" {
		t.Errorf("told %v", got)
	}
}

// TestTheEndOfWhatMayHaveArrivedIsTold: the open arrives and its answer is lost; the
// repeat is refused. The resolve is told.
func TestTheEndOfWhatMayHaveArrivedIsTold(t *testing.T) {
	v := newVendor()
	r := newRig(t, memory.New(), v)
	r.run(v, "FFFHHHHH", map[int][]inbox.Fault{0: {inbox.AcceptAndClose(), inbox.Fault{Status: 400, Word: "invalid_payload"}}})
	if got := strings.Join(r.actionsAt(slackDest), " "); got != "open resolve" {
		t.Errorf("told %s", got)
	}
}
