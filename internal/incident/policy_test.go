package incident

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const defaultPolicyJSON = `{"failing_required":1,"healthy_required":2,"cooldown":"30m0s","cooldown_growth":1,` +
	`"cooldown_max":"0s","max_reminders":0,"stale_after":"1h0m0s","reopen_within":"30m0s",` +
	`"flap_episodes":0,"flap_window":"0s","flap_stable_ticks":0}`

// Decision records name policies by hash for ever, so neither may change.
func TestPolicyGolden(t *testing.T) {
	got, err := json.Marshal(DefaultPolicy())
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != defaultPolicyJSON {
		t.Errorf("got  %s\nwant %s", got, defaultPolicyJSON)
	}
	if got, want := DefaultPolicy().Hash(), "p1-c00b5ef441dfd323"; got != want {
		t.Errorf("hash: got %s, want %s", got, want)
	}
}

func TestPolicyRoundTrip(t *testing.T) {
	wait := rapid.Map(rapid.Int64Range(0, int64(366*24*time.Hour)), func(n int64) time.Duration { return time.Duration(n) })
	streak := rapid.IntRange(0, 10_000)
	rapid.Check(t, func(t *rapid.T) {
		want := Policy{
			FailingRequired: streak.Draw(t, "failing"), HealthyRequired: streak.Draw(t, "healthy"),
			Cooldown: wait.Draw(t, "cooldown"), CooldownGrowth: rapid.Float64Range(1, 100).Draw(t, "growth"),
			CooldownMax: wait.Draw(t, "max"), MaxReminders: streak.Draw(t, "reminders"),
			StaleAfter: wait.Draw(t, "stale"), ReopenWithin: wait.Draw(t, "reopen"),
			FlapEpisodes: streak.Draw(t, "episodes"), FlapWindow: wait.Draw(t, "window"), FlapStableTicks: streak.Draw(t, "stable"),
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Policy
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got != want || got.Hash() != want.Hash() {
			t.Fatalf("%s: got %+v, want %+v", text, got, want)
		}
	})
}

// Every field is part of a policy's identity.
func TestEveryFieldChangesTheHash(t *testing.T) {
	var fields map[string]any
	if err := json.Unmarshal([]byte(defaultPolicyJSON), &fields); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{DefaultPolicy().Hash(): "the default"}
	for name, value := range fields {
		text := `{"` + name + `": 7}`
		if _, ok := value.(string); ok {
			text = `{"` + name + `": "7m"}`
		}
		p := DefaultPolicy()
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[p.Hash()]; ok {
			t.Errorf("%s: the hash is that of %s", name, other)
		}
		seen[p.Hash()] = name
	}
}

func TestPolicyUnmarshalErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"cooldwn":"5m"}`, "cooldwn"},
		{`{"cooldown":"five minutes"}`, "such as 30m"},
		{`{"cooldown":300}`, "cooldown"},
	} {
		p := DefaultPolicy()
		err := json.Unmarshal([]byte(c.text), &p)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one that says %q", c.text, err, c.want)
		}
		if p != DefaultPolicy() {
			t.Errorf("%s: the policy was changed by a text that is refused", c.text)
		}
	}
}

func TestUnencodablePolicyHasAHash(t *testing.T) {
	p := policy(func(p *Policy) { p.CooldownGrowth = math.NaN() })
	if got := p.Hash(); got != "p1-unencodable" {
		t.Errorf("got %s", got)
	}
}
