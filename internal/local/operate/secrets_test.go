package operate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Each process reads all secrets that its function has in as few calls as
// Parameter Store allows, ten a call, when it starts, and none while they are
// fresh; nobody reads another function's.
func TestSecretsAreReadAheadTenACall(t *testing.T) {
	p := startServices(t)
	config := configuration
	before, source, _ := strings.Cut(config, "  - id: api\n")
	for i := range 12 {
		one := strings.ReplaceAll("  - id: api\n"+source, "id: api", fmt.Sprintf("id: api-%02d", i))
		before += strings.ReplaceAll(one, "/ringonce/vendor", fmt.Sprintf("/ringonce/many-%02d", i))
	}
	before = strings.ReplaceAll(before, "destinations: [slack, mail]", "destinations: [slack, more, mail]")
	before = strings.ReplaceAll(before, "destinations:\n", "destinations:\n  more: {channel: slack_webhook, webhook_url: \"ssm:/ringonce/many-slack\"}\n")
	w := open(t, before, without(t, ""), through(t, p))
	p.reach(t, w)
	for minute := range 3 {
		check(t, w.tick(t.Context(), start.Add(time.Duration(minute)*time.Minute), true, true))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for who, want := range map[string][]int{"poll": {10, 2}, "sweep": {2}, "decide": nil, "heartbeat": nil} {
		var sizes []int
		for _, names := range p.asked[who] {
			sizes = append(sizes, len(names))
		}
		if !slices.Equal(sizes, want) {
			t.Errorf("%s asked for %v secrets, want %v", who, sizes, want)
		}
	}
	// Several processes of deliver may run side by side.
	if len(p.asked["deliver"]) == 0 {
		t.Error("deliver asked for no secrets")
	}
	for _, names := range p.asked["deliver"] {
		if !slices.Equal(names, []string{"/ringonce/many-slack", "/ringonce/slack"}) {
			t.Errorf("deliver asked for %q", names)
		}
	}
}
