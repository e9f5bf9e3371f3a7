package config

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/incident"
)

func TestPolicyPrecedence(t *testing.T) {
	cfg, _ := load(t, "full.yaml")
	for name, c := range map[string]struct {
		policy incident.Policy
		want   [3]any // cooldown, healthy_required, max_reminders
	}{
		"the owner wins over policy":                   {cfg.Owners["payments"].Policy, [3]any{time.Hour, 3, 5}},
		"an owner without a policy has the common one": {cfg.Owners["search"].Policy, [3]any{45 * time.Minute, 3, 10}},
		"the source wins over its owner":               {policyFor(t, cfg, "tracker-checkout"), [3]any{2 * time.Hour, 4, 5}},
		"a source can switch off":                      {policyFor(t, cfg, "legacy"), [3]any{time.Duration(0), 3, 0}},
	} {
		got := [3]any{c.policy.Cooldown, c.policy.HealthyRequired, c.policy.MaxReminders}
		if got != c.want {
			t.Errorf("%s: cooldown, healthy_required, max_reminders = %v, want %v", name, got, c.want)
		}
	}
}

func policyFor(t *testing.T, cfg *Config, id string) incident.Policy {
	t.Helper()
	p, ok := cfg.PolicyFor(id)
	if !ok {
		t.Fatalf("there is no policy for %s", id)
	}
	return p
}

func TestSettingsNameTheLayerThatWon(t *testing.T) {
	_, pos := load(t, "full.yaml")
	settings, ok := pos.Policy("tracker-checkout")
	if !ok {
		t.Fatal("no settings")
	}
	file := testdata + "good/full.yaml"
	byName := map[string]Setting{}
	for _, s := range settings {
		byName[s.Name] = s
	}
	want := Setting{
		Name: "cooldown", Value: "2h", Layer: LayerSource, Place: Place{file, 49, 24},
		Over: []Setting{
			{Name: "cooldown", Value: "1h", Layer: LayerOwner, Place: Place{file, 9, 24}},
			{Name: "cooldown", Value: "45m", Layer: LayerPolicy, Place: Place{file, 27, 13}},
			{Name: "cooldown", Value: "30m", Layer: LayerDefault},
		},
	}
	if diff := cmp.Diff(want, byName["cooldown"]); diff != "" {
		t.Errorf("cooldown (-want +got):\n%s", diff)
	}
	if got := byName["max_reminders"]; got.Value != "5" || got.Layer != LayerOwner {
		t.Errorf("max_reminders: %+v", got)
	}
	if _, ok := pos.Policy("nobody"); ok {
		t.Error("a source that is not there has settings")
	}
}

func TestSettingsOfDefaults(t *testing.T) {
	_, pos := load(t, "minimal.yaml")
	settings, _ := pos.Policy("status")
	for _, s := range settings {
		if s.Layer != LayerDefault || s.Place != (Place{}) || len(s.Over) > 0 {
			t.Errorf("%s: %+v, want the built-in default", s.Name, s)
		}
	}
}

// TestEveryPolicyFieldCanBeSetAndExplained holds the readers and the
// explanation against the fields of incident.Policy.
func TestEveryPolicyFieldCanBeSetAndExplained(t *testing.T) {
	asked := map[string]bool{}
	r := &reader{asked: func(_, name string) { asked[name] = true }}
	r.fields(nil, "policy", Place{}).policy(ruling{}, LayerPolicy)
	explained := map[string]bool{}
	for _, v := range policyValues {
		explained[v.name] = true
	}
	want := map[string]bool{}
	for f := range reflect.TypeFor[incident.Policy]().Fields() {
		want[snake(f.Name)] = true
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("fields that can be set (-incident.Policy +read):\n%s", diff)
	}
	if diff := cmp.Diff(want, explained); diff != "" {
		t.Errorf("fields that are explained (-incident.Policy +explained):\n%s", diff)
	}
}

func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
