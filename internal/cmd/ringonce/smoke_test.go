package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/smoke"
)

// TestSmokeNamesADestinationThatIsNotThere, and says where it was looked for.
func TestSmokeNamesADestinationThatIsNotThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ringonce.yaml")
	text := strings.Replace(whole, "destinations:\n", "destinations:\n  mail: {channel: ses, from: a@example.com, to: [b@example.com, c@example.com]}\n", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	there := "; " + path + " has mail, slack; --config names another file"
	for name, want := range map[string]string{
		"":      "say which destination, with --destination" + there,
		"slakc": `there is no destination "slakc" (did you mean "slack"?)` + there,
		"crm":   `there is no destination "crm"` + there,
		config.RecipientID("mail", "b@example.com"): "is one recipient of mail: name that, and each is told" + there,
	} {
		got := ringonce(nil, "smoke", "--config", path, "--destination", name)
		if got.code != exitUsage || !strings.Contains(got.stderr, want) || got.stdout != "" {
			t.Errorf("--destination %q: %+v, want %q", name, got, want)
		}
	}
}

// TestSmokeStepsAreColumns: also of what is about no destination, or says no more.
func TestSmokeStepsAreColumns(t *testing.T) {
	for want, step := range map[string]smoke.Step{
		"  open     written      0.003 s  failing":                     {Action: incident.Open, Name: "written", After: 3 * time.Millisecond, Note: "failing"},
		"  resolve  accepted     1.482 s  crm attempt 1: accepted 200": {Action: incident.Resolve, Name: "accepted", After: 1482 * time.Millisecond, Destination: "crm", Note: "attempt 1: accepted 200"},
		"  open     claimed      0.400 s  crm":                         {Action: incident.Open, Name: "claimed", After: 400 * time.Millisecond, Destination: "crm"},
		"  open     handled      0.419 s":                              {Action: incident.Open, Name: "handled", After: 419 * time.Millisecond},
	} {
		if got := stepLine(step); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
