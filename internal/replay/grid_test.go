package replay

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

func TestParseDimension(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"cooldown=5m,15m,1h", []string{"5m", "15m", "1h"}},
		{"healthy_required=1..3", []string{"1", "2", "3"}},
		{"failing_required=1,4..5", []string{"1", "4", "5"}},
		{"cooldown_growth=1.5", []string{"1.5"}},
		{"stale_after=0s", []string{"0s"}},
	} {
		d, err := ParseDimension(c.text)
		if err != nil || !slices.Equal(d.Values, c.want) {
			t.Errorf("%s: got %q, %v; want %q", c.text, d.Values, err, c.want)
		}
	}
	for _, c := range []struct{ text, says string }{
		{"cooldown", "FIELD=VALUE"},
		{"cooldown=", "FIELD=VALUE"},
		{"cooldwn=5m", "the fields are cooldown,"},
		{"cooldown=5", "cooldown=5"},
		{"cooldown=-5m", "negative"},
		{"healthy_required=0..3", "at least 1"},
		{"healthy_required=1.5", "healthy_required=1.5"},
		{"healthy_required=3..1", "not a range"},
		{"healthy_required=1..a", "not a range"},
		{"healthy_required=1..99999999", "not a range"},
		{"cooldown_growth=0.5", "at least 1"},
		{"cooldown_growth=NaN", "cooldown_growth=NaN"},
		{"max_reminders=-1", "negative"},
	} {
		if _, err := ParseDimension(c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want an error that says %q", c.text, err, c.says)
		}
	}
}

func dims(t *testing.T, texts ...string) []Dimension {
	t.Helper()
	var out []Dimension
	for _, text := range texts {
		d, err := ParseDimension(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

func TestGrid(t *testing.T) {
	base := Candidate{Name: "base", Policy: incident.DefaultPolicy()}
	got, err := Grid(base, dims(t, "cooldown=30m,1h", "healthy_required=1..3"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range got {
		names = append(names, c.Name)
	}
	want := []string{
		"base: cooldown=30m healthy_required=2",
		"cooldown=30m healthy_required=1", "cooldown=30m healthy_required=3",
		"cooldown=1h healthy_required=1", "cooldown=1h healthy_required=2", "cooldown=1h healthy_required=3",
	}
	if !slices.Equal(names, want) {
		t.Errorf("got  %q\nwant %q", names, want)
	}
	if p := got[5].Policy; p.Cooldown != time.Hour || p.HealthyRequired != 3 || p.FailingRequired != 1 {
		t.Errorf("the last one is %+v", p)
	}
	if _, err := Grid(base, dims(t, "healthy_required=1..200", "failing_required=1..200")); err == nil {
		t.Error("a grid of 40,000 policies was accepted")
	}
}

// A sweep over the policies of a configuration changes one field of whichever
// policy holds for the observation.
func TestGridOverLivePolicies(t *testing.T) {
	live := Candidate{Name: "live", Policy: incident.DefaultPolicy(), For: func(o observation.Observation) incident.Policy {
		return defaults(func(p *incident.Policy) {
			if o.Source == "slow" {
				p.FailingRequired = 9
			}
		})
	}}
	got, err := Grid(live, dims(t, "healthy_required=2,7"))
	if err != nil || len(got) != 3 {
		t.Fatalf("%d candidates, %v", len(got), err)
	}
	for range 2 {
		p := got[2].For(observation.Observation{Source: "slow"})
		if p.FailingRequired != 9 || p.HealthyRequired != 7 {
			t.Errorf("got %+v", p)
		}
	}
	if p := got[2].For(observation.Observation{Source: "quick"}); p.FailingRequired != 1 || p.HealthyRequired != 7 {
		t.Errorf("got %+v", p)
	}
}
