package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLoadForSending: who sends reads the same, less what it has no use for.
func TestLoadForSending(t *testing.T) {
	files, _ := filepath.Glob(testdata + "good/*.yaml")
	for _, f := range files {
		want, _ := load(t, filepath.Base(f))
		want.Sources, want.Silences, want.Hash = nil, nil, ""
		got, err := LoadForSending(f)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", f, err, diff)
		}
	}
}

func TestLoadForSendingLooksAtWhatItNeeds(t *testing.T) {
	good := string(mustRead(testdata + "good/full.yaml"))
	for _, c := range []struct{ old, with, problem string }{
		{"preset: tracker", "preset: nowhere", ""},
		{"\nsilences:", "\nsilence:", `unknown field "silence"`},
		{"\nenvironment:", "\nenvironment: []\nredacted:", "environment"},
		{"channel: slack_webhook", "channel: pigeon", "pigeon"},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("full.yaml has no %q", c.old)
		}
		path := filepath.Join(t.TempDir(), "ringonce.yaml")
		if err := os.WriteFile(path, []byte(strings.Replace(good, c.old, c.with, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		switch cfg, err := LoadForSending(path); {
		case c.problem == "" && err != nil:
			t.Errorf("with %q: %v", c.with, err)
		case c.problem != "" && (err == nil || cfg != nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("with %q: %v, want a word on %q", c.with, err, c.problem)
		}
	}
	if _, err := LoadForSending("no-such.yaml"); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("without a file: %v", err)
	}
}
