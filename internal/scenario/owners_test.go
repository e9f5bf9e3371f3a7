package scenario_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// TestTheEndIsChargedToWhoWasTold: sources of two owners report one key. Whichever
// reports last, the resolve is charged to the owner of each destination that was told,
// as the notices before it were, and names that owner.
func TestTheEndIsChargedToWhoWasTold(t *testing.T) {
	for name, tt := range map[string]struct {
		// listings are what a and b list at each minute.
		a, b string
		want []string
	}{
		"only one was told, the other ends it": {"FHE", "FHH", []string{"open payments slack", "resolve payments slack"}},
		"both were told, one ends it": {"FHHH", "FFHH", []string{
			"open payments slack", "remind platform mail", "resolve payments slack", "resolve platform mail",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				v := newVendor()
				r := newRig(t, s, v)
				p := incident.DefaultPolicy()
				p.Cooldown = time.Minute
				r.cfg.Owners = map[string]config.Owner{
					"payments": {ID: "payments", CostCenter: "CC-payments", Destinations: []string{slackDest}, Policy: p},
					"platform": {ID: "platform", CostCenter: "CC-platform", Destinations: []string{mailDest}, Policy: p},
				}
				a, b := r.cfg.Sources[0], r.cfg.Sources[0]
				a.ID, a.Owner, a.OperatorAction = "a", "payments", "Ask payments."
				b.ID, b.Owner, b.OperatorAction = "b", "platform", "Ask platform."
				r.cfg.Sources = []config.Source{a, b}
				r.setPolicy(p)
				for n := range tt.a {
					v.set("a", listingFor(t, tt.a[n]))
					v.set("b", listingFor(t, tt.b[n]))
					r.tick(n)
				}
				told := map[string]bool{}
				for _, d := range r.ledger() {
					if d.CostCenter != "CC-"+d.Owner || d.Notice.Owner != d.Owner {
						t.Errorf("%s to %s is charged to %s, %s and names %s", d.Action, d.Destination, d.Owner, d.CostCenter, d.Notice.Owner)
					}
					channel, _, _ := strings.Cut(d.Destination, "-")
					told[fmt.Sprintf("%s %s %s", d.Action, d.Owner, channel)] = true
				}
				if got := slices.Sorted(maps.Keys(told)); !slices.Equal(got, tt.want) {
					t.Errorf("charged %q, want %q", got, tt.want)
				}
				if post := r.posts()[len(r.posts())-1]; !strings.Contains(post, "RESOLVED") || strings.Contains(post, "platform") {
					t.Errorf("payments is told of the end:\n%s", post)
				}
				for _, u := range r.usage() {
					if u.CostCenter != "CC-"+u.Owner || (u.Owner == "payments") != (u.Channel == config.ChannelSlackWebhook) {
						t.Errorf("counted %+v", u)
					}
				}
			})
		})
	}
}
