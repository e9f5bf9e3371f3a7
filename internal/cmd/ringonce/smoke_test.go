package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
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
