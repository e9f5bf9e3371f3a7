package scenario_test

import (
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// TestStagesThatShareDestinationsAreToldApart: two stages watch things of the same
// name and have the same receiver, service and channel. Each is told: a receiver with
// idempotency keys does not take one stage's message for a repeat of the other's.
func TestStagesThatShareDestinationsAreToldApart(t *testing.T) {
	v := newVendor()
	staging := newRig(t, memory.New(), v)
	staging.cfg.Environment = "staging"
	clock := staging.atTicks()
	production := newRig(t, memory.New(), v)
	production.inbox, production.cfg.Environment = staging.inbox, "production"
	box := staging.inbox
	t.Setenv("SCENARIO_SIGN", box.SigningSecret("erp"))
	t.Setenv("SCENARIO_ROUTING_KEY", box.RoutingKey("pagerduty"))
	for _, r := range []*rig{staging, production} {
		r.tell(
			config.Destination{ID: "erp", Channel: config.ChannelWebhook, URL: box.ReceiverURL("erp"), SigningSecret: "env:SCENARIO_SIGN"},
			config.Destination{ID: "pagerduty", Channel: config.ChannelPagerDuty, APIURL: box.PagerDutyURL(), RoutingKey: "env:SCENARIO_ROUTING_KEY", Severity: "error"},
			config.Destination{ID: mailDest, Channel: config.ChannelSES, From: "alerts@example.com", To: []string{mailTo}},
		)
	}
	v.set("vendor", whole(item("card", observation.Failing)))
	clock(0)
	staging.tick(0)
	production.tick(0)

	ids, threads, received := map[string]bool{}, map[string]bool{}, 0
	for _, m := range box.Messages() {
		ids[m.DeliveryID] = true
		if m.Target == "erp" {
			received++
		}
		if m.Letter != nil {
			threads[m.Letter.Headers["References"]] = true
		}
	}
	if received != 2 {
		t.Errorf("the receiver was told %d times, want once by each stage", received)
	}
	if len(ids) != 6 {
		t.Errorf("%d delivery ids, want 6", len(ids))
	}
	if len(threads) != 2 {
		t.Errorf("mail has %d threads, want one of each stage", len(threads))
	}
	if alerts := box.Alerts(); len(alerts) != 2 {
		t.Errorf("%d alerts, want one of each stage", len(alerts))
	}
}
