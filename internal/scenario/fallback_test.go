package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestADivertedEndWaitsForTheDigestThatToldItsBeginning: Slack refuses a digest
// of opens for good, mail, its fallback, is out while they recover, and the
// digest's next try is further off than the resolves.
func TestADivertedEndWaitsForTheDigestThatToldItsBeginning(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		r.configure(slackDest, func(d *config.Destination) { d.Fallback, d.DigestOver = mailDest, 2 })
		p := incident.DefaultPolicy()
		p.HealthyRequired = 1
		r.setPolicy(p)
		r.inbox.Script(slackDest, inbox.Gone())
		r.inbox.Script(mailTo, slices.Repeat([]inbox.Fault{inbox.ServerError()}, 8)...)
		v.set("vendor", whole(item("card", observation.Failing), item("bank", observation.Failing), item("cash", observation.Failing)))
		for n := range 4 {
			r.tick(n)
		}
		v.set("vendor", whole())
		for n := 4; n < 9; n++ {
			r.tick(n)
		}
		got := slices.DeleteFunc(r.actionsAt(mailDest), func(a string) bool { return a == "refused" })
		if strings.Join(got, " ") != "digest resolve resolve resolve" {
			t.Errorf("mail was told %v", got)
		}
	})
}
