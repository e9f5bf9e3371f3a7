package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const committed = "../../../testdata/traces"

// The committed traces are what the stories tell: nobody has edited one by hand.
func TestCommittedTraces(t *testing.T) {
	for _, s := range stories {
		var got bytes.Buffer
		if err := s.write(&got); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(committed, s.file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: the committed trace is another: run go generate ./internal/replay/tracegen", s.file)
		}
	}
}

// There is no trace without a story, and the README tells how each was made.
func TestEveryTraceIsDocumented(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(committed, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(committed)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "README.md" || e.Name() == "expected.json" {
			continue
		}
		if !slices.ContainsFunc(stories, func(s story) bool { return s.file == e.Name() }) {
			t.Errorf("%s: no story tells it", e.Name())
		}
		if !strings.Contains(string(readme), "`"+e.Name()+"`") {
			t.Errorf("%s: the README does not say how it was made", e.Name())
		}
	}
}
