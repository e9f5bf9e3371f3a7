package config

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

const testdata = "../../testdata/config/"

func testPresets() fs.FS { return os.DirFS(testdata + "presets") }

// TestBadFiles compares everything that is said about each wrong file with its
// golden text: which mistakes, in which line, and what to do.
func TestBadFiles(t *testing.T) {
	files, err := filepath.Glob(testdata + "bad/*.yaml")
	if err != nil || len(files) < 20 {
		t.Fatalf("found %d bad files (%v)", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			got := Read(name, readFile(t, file), testPresets()).Problems.Error() + "\n"
			golden := strings.TrimSuffix(file, ".yaml") + ".want"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(readFile(t, golden)), got); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
			if strings.Contains(got, "SECRET") {
				t.Errorf("case C7: a secret of the file is in its problems:\n%s", got)
			}
		})
	}
}

// TestParseRefusesMistakesOnly: one mistake is enough to get no configuration,
// a warning is not.
func TestParseRefusesMistakesOnly(t *testing.T) {
	for name, want := range map[string]struct {
		usable   bool
		warnings int
	}{
		"bad/unused.yaml": {usable: true, warnings: 3},
		"bad/limits.yaml": {usable: false},
	} {
		cfg, pos, err := Load(testdata+name, testPresets())
		if (cfg != nil) != want.usable || (err == nil) != want.usable {
			t.Errorf("%s: configuration %v, error %v; want usable %v", name, cfg != nil, err, want.usable)
		}
		if got := len(pos.Warnings()); got != want.warnings {
			t.Errorf("%s: %d warnings, want %d", name, got, want.warnings)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	_, _, err := Load(testdata+"no-such-file.yaml", nil)
	if err == nil || !strings.Contains(err.Error(), "does not exist: give the path") {
		t.Errorf("a missing file: %v", err)
	}
	large := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(large, []byte("a: "+strings.Repeat("x", maxFileBytes)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err = Load(large, nil)
	if err == nil || !strings.Contains(err.Error(), "larger than 1048576 bytes") {
		t.Errorf("a large file: %v", err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
