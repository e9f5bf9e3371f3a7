package config

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestHashNamesTheContent(t *testing.T) {
	data := readFile(t, testdata+"good/full.yaml")
	tracker := readFile(t, testdata+"presets/tracker.yaml")
	presets := func(content string) fstest.MapFS {
		return fstest.MapFS{
			"tracker.yaml": {Data: []byte(content)},
			"unused.yaml":  {Data: []byte("x")},
		}
	}
	hashOf := func(data string, p fstest.MapFS) string {
		cfg, _, err := Parse("ringonce.yaml", []byte(data), p)
		if err != nil {
			t.Fatal(err)
		}
		return cfg.Hash
	}
	first := hashOf(string(data), presets(string(tracker)))
	if !strings.HasPrefix(first, "c1-") || len(first) != 3+64 {
		t.Errorf("hash %q", first)
	}
	if again := hashOf(string(data), presets(string(tracker))); again != first {
		t.Error("the same content has two hashes")
	}
	if changed := hashOf(string(data)+"\n", presets(string(tracker))); changed == first {
		t.Error("a changed file keeps its hash")
	}
	if changed := hashOf(string(data), presets(strings.Replace(string(tracker), "small", "large", 1))); changed == first {
		t.Error("a changed preset keeps the hash")
	}
	other := presets(string(tracker))
	other["unused.yaml"].Data = []byte("y")
	if same := hashOf(string(data), other); same != first {
		t.Error("a preset that is not used changes the hash")
	}
}
