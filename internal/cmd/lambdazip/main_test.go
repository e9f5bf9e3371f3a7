package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// built leaves two files, as different builders would, and packs them.
func built(t *testing.T, umask fs.FileMode, changed time.Time) (string, []byte) {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for name, mode := range map[string]fs.FileMode{"bootstrap": 0o777, "ringonce.yaml": 0o666} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("of "+name), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode&^umask); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bootstrap", "ringonce.yaml"} {
		files = append(files, filepath.Join(dir, name))
	}
	out := filepath.Join(dir, "out.zip")
	if err := pack(out, files); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return out, content
}

func TestTheSameFilesAreTheSameBytes(t *testing.T) {
	_, one := built(t, 0o022, time.Unix(1e9, 0))
	_, other := built(t, 0o077, time.Unix(2e9, 0))
	if !bytes.Equal(one, other) {
		t.Error("the mode or the time of a file is in the zip")
	}
}

func TestLambdaCanRunWhatIsPacked(t *testing.T) {
	out, _ := built(t, 0o077, time.Unix(1e9, 0))
	r, err := zip.OpenReader(out)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := map[string]fs.FileMode{"bootstrap": 0o755, "ringonce.yaml": 0o644}
	for _, f := range r.File {
		if f.Mode() != want[f.Name] {
			t.Errorf("%s has the mode %v, want %v", f.Name, f.Mode(), want[f.Name])
		}
		content, err := fs.ReadFile(r, f.Name)
		if err != nil || string(content) != "of "+f.Name {
			t.Errorf("%s holds %q, %v", f.Name, content, err)
		}
	}
	if len(r.File) != len(want) {
		t.Errorf("%d files, want %d", len(r.File), len(want))
	}
}

func TestAMissingFileIsAnError(t *testing.T) {
	if err := pack(filepath.Join(t.TempDir(), "out.zip"), []string{"nowhere"}); err == nil {
		t.Error("a file that is not there is packed")
	}
}
