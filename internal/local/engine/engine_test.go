package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

func start(t *testing.T, o Options) *Engine {
	t.Helper()
	e, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// script stands in for the engine's binary.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "engine")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestStartAndStop(t *testing.T) {
	var log bytes.Buffer
	e := start(t, Options{Log: &log})
	out, err := dynamodb.NewFromConfig(e.Config()).ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil || len(out.TableNames) != 0 {
		t.Errorf("tables %v, error %v, want none", out, err)
	}
	if group, err := syscall.Getpgid(e.cmd.Process.Pid); err != nil || group != e.cmd.Process.Pid {
		t.Errorf("process group %d, error %v, want its own, %d", group, err, e.cmd.Process.Pid)
	}
	for range 2 {
		if err := e.Stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	}
	<-e.Exited()
	if !strings.Contains(log.String(), "listening") {
		t.Errorf("the log is %q, want what the engine printed", log.String())
	}
}

func TestExitedByItself(t *testing.T) {
	e := start(t, Options{})
	if err := e.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-e.Exited()
}

func TestEnginesSideBySide(t *testing.T) {
	if a, b := start(t, Options{}), start(t, Options{}); a.Endpoint == b.Endpoint {
		t.Errorf("both on %s", a.Endpoint)
	}
}

func TestTakenPortIsTriedAgain(t *testing.T) {
	real, err := Find("", ".")
	if err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(t.TempDir(), "tried")
	start(t, Options{Binary: script(t, `
if [ ! -e `+mark+` ]; then touch `+mark+`; echo "error: port $5 is already in use" >&2; exit 1; fi
exec `+real+` "$@"`)})
}

func TestEndsAtOnce(t *testing.T) {
	_, err := Start(t.Context(), Options{Binary: script(t, "echo no such file: x.db >&2; exit 3")})
	if err == nil || !strings.Contains(err.Error(), "no such file: x.db") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error is %v, want one with the engine's own words", err)
	}
}

func TestNeverListens(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := Start(ctx, Options{Binary: script(t, "exec sleep 60")})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v, want the context's", err)
	}
}

func TestIgnoresTermination(t *testing.T) {
	real, err := Find("", ".")
	if err != nil {
		t.Fatal(err)
	}
	e := start(t, Options{Binary: script(t, "trap '' TERM\n"+real+` "$@" & wait $!; while :; do sleep 1; done`)})
	e.grace = 10 * time.Millisecond
	if err := e.Stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	<-e.Exited()
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if _, err := Find("", dir); !errors.Is(err, ErrNotInstalled) || !strings.Contains(err.Error(), "make tools-engine") {
		t.Errorf("error is %v, want one that says how to install it", err)
	}
	binary := filepath.Join(dir, ".tools/node_modules/@dynoxide/some-platform/dynoxide")
	below := filepath.Join(dir, "a/b")
	for _, d := range []string{filepath.Dir(binary), below} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(binary, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if found, err := Find("", below); err != nil || found != binary {
		t.Errorf("found %s, error %v, want %s", found, err, binary)
	}
	if found, err := Find(binary, "/"); err != nil || found != binary {
		t.Errorf("found %s, error %v, want what was given", found, err)
	}
	if _, err := Find(filepath.Join(dir, "nowhere"), dir); err == nil || errors.Is(err, ErrNotInstalled) {
		t.Errorf("error is %v, want one about the given path", err)
	}
}
