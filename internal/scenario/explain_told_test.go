package scenario_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/observation"
)

// text returns the report as it is written for a terminal and in the page.
func text(t *testing.T, rep explain.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := errors.Join(rep.WriteText(&b), rep.WriteHTML(&b)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestExplainFollowsADigest: an incident that was told in a digest shows the digest,
// its attempts and how many others it told. The digest's id finds all its incidents.
func TestExplainFollowsADigest(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.DigestOver = 5 })
		r.inbox.Script(slackDest, inbox.ServerError())
		var fail []observation.Observation
		for n := range 8 {
			fail = append(fail, observedKey(n, noon, observation.Failing))
		}
		if failed := r.deliverer().Deliver(t.Context(), r.decideOnly(fail...)); len(failed) > 0 {
			t.Fatal(failed)
		}
		r.now = r.now.Add(24 * time.Hour)
		r.sweep()
		rep := r.explained(fail[0].IncidentKey, explain.Query{})
		if len(rep.Deliveries) != 1 || rep.Deliveries[0].In == nil {
			t.Fatalf("deliveries: %+v", rep.Deliveries)
		}
		in := rep.Deliveries[0].In
		if !in.Digest || in.Others != 7 || in.State != "delivered" || len(in.Attempts) != 2 || in.Attempts[0].Status != 500 {
			t.Errorf("told in %+v", in)
		}
		said := text(t, rep)
		for _, want := range []string{"told in digest " + in.ID + " with 7 others", "its attempt 2"} {
			if strings.Count(said, want) < 2 {
				t.Errorf("text and page do not both say %q", want)
			}
		}
		if !strings.Contains(rep.Why, "was told in digest "+in.ID+" with 7 others: attempt 1 at") {
			t.Errorf("why: %s", rep.Why)
		}
		found, err := explain.Find(t.Context(), s.(explain.Store), "…and so on · "+in.ID)
		if err != nil || len(found) != 8 || found[0].By != explain.ByDelivery || found[0].Episode != 1 {
			t.Errorf("the digest leads to %+v, %v", found, err)
		}
	})
}

// TestExplainFollowsAFallback: a message that a destination refused shows the fallback
// and why. The message about the destination itself is of no incident.
func TestExplainFollowsAFallback(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback = mailDest })
		r.inbox.Script(slackDest, inbox.Gone())
		r.play(v, "F")
		rep := r.explained(r.state().Key, explain.Query{})
		var went []string
		for _, d := range rep.Deliveries {
			went = append(went, fmt.Sprintf("%s %s for %q because %q", d.Destination, d.State, d.For, d.Because))
		}
		want := `mail-payments delivered for "slack-payments" because "refused for good: no_service"; slack-payments dead for "" because ""`
		if got := strings.Join(went, "; "); got != want {
			t.Errorf("went\n%s, want\n%s", got, want)
		}
		if said := text(t, rep); strings.Count(said, "sent to the fallback of slack-payments because refused for good") < 2 {
			t.Error("text and page do not both say why the fallback was told")
		}
		if !strings.Contains(rep.Why, "told mail-payments (in place of slack-payments)") {
			t.Errorf("why: %s", rep.Why)
		}
		for _, d := range r.ledger() {
			if d.Action != delivery.Refused {
				continue
			}
			if found, err := explain.Find(t.Context(), s.(explain.Store), d.ID); err == nil || !strings.Contains(err.Error(), "it is about destination slack-payments itself") {
				t.Errorf("the refusal leads to %+v, %v", found, err)
			}
			return
		}
		t.Error("nothing tells of the refusal")
	})
}

// TestADigestThatIsRefused: a digest that its destination refuses goes to the fallback
// as a digest. An incident in it shows both, and the report counts both.
func TestADigestThatIsRefused(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		r := newRig(t, s, newVendor())
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.DigestOver, d.Fallback = 5, mailDest })
		r.configure(mailDest, func(d *config.Destination) { d.DigestOver = 5 })
		r.inbox.Script(slackDest, inbox.Gone())
		var fail []observation.Observation
		for n := range 8 {
			fail = append(fail, observedKey(n, noon, observation.Failing))
		}
		r.now = noon.Add(2 * time.Second)
		if failed := r.deliverer().Deliver(t.Context(), r.decideOnly(fail...)); len(failed) > 0 {
			t.Fatal(failed)
		}
		r.now = noon.Add(time.Minute + 2*time.Second)
		r.sweep()
		rep := r.explained(fail[0].IncidentKey, explain.Query{})
		if len(rep.Deliveries) != 1 || rep.Deliveries[0].In == nil || rep.Deliveries[0].In.Instead == nil {
			t.Fatalf("deliveries: %+v", rep.Deliveries)
		}
		in := rep.Deliveries[0].In
		if in.State != "dead" || in.Instead.State != "delivered" || in.Instead.Destination != mailDest {
			t.Errorf("told in %+v, and instead in %+v", in, in.Instead)
		}
		if want := "with 7 others, which is dead; its fallback mail-payments was told in digest " + in.Instead.ID; !strings.Contains(rep.Why, want) {
			t.Errorf("why: %s, want it to say %q", rep.Why, want)
		}
		if want := "and told mail-payments (in place of slack-payments)."; !strings.Contains(rep.Why, want) {
			t.Errorf("why: %s, want it to say %q", rep.Why, want)
		}
		whole := r.measured(noon, noon.Add(time.Hour))
		refused := 0
		for _, d := range whole.Destinations {
			switch d.Destination {
			case mailDest:
				// The digest, and the message that Slack refuses messages.
				if d.Accepted != 2 {
					t.Errorf("mail: %+v", d)
				}
			case slackDest:
				refused = d.Dead
			}
		}
		if refused != 1 || whole.Times.Notify.N != 8 || whole.Whole.Whole != 8 || whole.Owners[0].Notices["digest"] != 1 {
			t.Errorf("%+v", whole)
		}
	})
}
