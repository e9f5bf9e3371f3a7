package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPreviewWritesAPage(t *testing.T) {
	var out, problems bytes.Buffer
	file := filepath.Join(t.TempDir(), "messages.html")
	args := []string{"preview", "--html", file, "--goldens", "../../../testdata/golden"}
	if code := run(t.Context(), args, &out, &problems, os.Getenv); code != exitOK {
		t.Fatalf("exit %d: %s", code, problems.String())
	}
	page, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(page), "NO LONGER SILENCED") || !strings.HasPrefix(out.String(), file+": ") {
		t.Errorf("%v, %q, %d bytes", err, out.String(), len(page))
	}
	if code := run(t.Context(), []string{"preview"}, &out, &problems, os.Getenv); code != exitUsage || !strings.Contains(problems.String(), "--html FILE") {
		t.Errorf("without a file: exit %d, %s", code, problems.String())
	}
}
