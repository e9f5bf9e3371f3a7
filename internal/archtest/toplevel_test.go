package archtest

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// topLevel is what the repository holds, besides dot files. What a tool leaves
// there is named in .gitignore, so that nobody commits it by mistake.
var topLevel = []string{
	"LICENSE", "Makefile", "README.md", "events", "functions", "go.mod", "go.sum", "infra", "internal", "template.yaml", "testdata",
}

func TestTheTopLevelHoldsNothingElse(t *testing.T) {
	ignored, err := os.ReadFile("../../.gitignore")
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for line := range strings.Lines(string(ignored)) {
		if name, rooted := strings.CutPrefix(strings.TrimSpace(line), "/"); rooted {
			left = append(left, strings.TrimSuffix(name, "/"))
		}
	}
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) && !slices.Contains(left, name) {
			t.Errorf("%s does not belong here: move it, or name it in .gitignore", name)
		}
	}
	for _, name := range topLevel {
		if _, err := os.Stat("../../" + name); err != nil || slices.Contains(left, name) {
			t.Errorf("%s is missing or ignored: %v", name, err)
		}
	}
}
