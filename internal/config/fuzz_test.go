package config

import (
	"bytes"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// parsed checks what holds for any input: no panic, and either a configuration
// or a reason in words.
func parsed(t interface{ Fatalf(string, ...any) }, data []byte) {
	cfg, _, err := Parse("ringonce.yaml", data, testPresets())
	if (cfg == nil) == (err == nil) {
		t.Fatalf("configuration %v, error %v", cfg != nil, err)
	}
	if err != nil && err.Error() == "" {
		t.Fatalf("an error without words")
	}
}

func FuzzParse(f *testing.F) {
	for _, dir := range []string{"good", "bad", "presets"} {
		files, _ := filepath.Glob(testdata + dir + "/*.yaml")
		for _, file := range files {
			f.Add(readFileF(f, file))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { parsed(t, data) })
}

func TestParseNeverPanicsOnRandomBytes(t *testing.T) {
	alphabet := []byte("ab1:-[]{}&*!|>'\"%@`#?,. \n\t\x00\xff~<")
	rapid.Check(t, func(t *rapid.T) {
		parsed(t, rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 200).Draw(t, "data"))
	})
}

// TestParseNeverPanicsOnDamage cuts, repeats and replaces pieces of a good
// file, which reaches far deeper than noise.
func TestParseNeverPanicsOnDamage(t *testing.T) {
	good := readFile(t, testdata+"good/full.yaml")
	pieces := [][]byte{nil, []byte("null"), []byte("[]"), []byte("{}"), []byte("*a"), []byte("&a "), []byte("-1"), []byte("${x}"), []byte("<<: "), []byte("\n"), []byte("!!int ")}
	rapid.Check(t, func(t *rapid.T) {
		data := bytes.Clone(good)
		for range rapid.IntRange(1, 4).Draw(t, "wounds") {
			from := rapid.IntRange(0, len(data)).Draw(t, "from")
			to := rapid.IntRange(from, min(len(data), from+30)).Draw(t, "to")
			piece := rapid.SampledFrom(pieces).Draw(t, "piece")
			data = append(append(bytes.Clone(data[:from]), piece...), data[to:]...)
		}
		parsed(t, data)
	})
}

func readFileF(f *testing.F, path string) []byte {
	f.Helper()
	matches, err := filepath.Glob(path)
	if err != nil || len(matches) != 1 {
		f.Fatal(path, err)
	}
	return mustRead(path)
}
