package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
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

// TestAResendByHandLiftsTheQuarantine: the webhook was gone and is mended within
// the hour. What a person resends is tried at once, and what waited follows.
func TestAResendByHandLiftsTheQuarantine(t *testing.T) {
	eachStore(t, func(t *testing.T, s store) {
		v := newVendor()
		r := newRig(t, s, v)
		r.audience(slackDest)
		r.inbox.Script(slackDest, inbox.Gone(), inbox.Gone())
		v.set("vendor", whole(item("card", observation.Failing)))
		r.tick(0)
		v.set("vendor", whole(item("card", observation.Failing), item("bank", observation.Failing)))
		r.tick(1)
		dead := slices.DeleteFunc(r.ledger(), func(d delivery.Delivery) bool { return d.State != delivery.Dead })
		if len(dead) != 1 || r.callsTo(slackDest) != 1 {
			t.Fatalf("dead are %+v after %d calls", dead, r.callsTo(slackDest))
		}
		resend := func() {
			t.Helper()
			if err := s.Resend(t.Context(), dead[0].Ref(), r.now); err != nil {
				t.Fatal(err)
			}
			r.sweep()
		}
		// It is not mended yet: one try, which says so, and no other.
		resend()
		r.tick(2)
		if calls, posts := r.callsTo(slackDest), r.posts(); calls != 2 || len(posts) != 0 {
			t.Fatalf("before the repair %d calls, %d posts", calls, len(posts))
		}
		resend()
		if posts := r.posts(); len(posts) != 1 || !strings.Contains(posts[0], dead[0].ID) {
			t.Fatalf("resent, told %q", posts)
		}
		for n := 3; n < 9; n++ {
			r.tick(n)
		}
		if posts := r.posts(); len(posts) != 2 || !strings.Contains(posts[1], "bank") {
			t.Errorf("afterwards told %q", posts)
		}
	})
}
