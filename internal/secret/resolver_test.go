package secret_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/secret"
)

// clock is moved by hand.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func resolver(t *testing.T, o secret.Options) (*secret.Resolver, *clock, *bytes.Buffer) {
	t.Helper()
	c := &clock{t: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)}
	var log bytes.Buffer
	o.Now, o.Log = c.now, slog.New(slog.NewTextHandler(&log, nil))
	return secret.New(o), c, &log
}

func env(values map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := values[name]
		return v, ok
	}
}

func want(t *testing.T, r *secret.Resolver, ref, value string) {
	t.Helper()
	got, err := r.Resolve(t.Context(), ref)
	if err != nil || got != value {
		t.Errorf("Resolve(%s) = %q, %v; want %q", ref, got, err, value)
	}
}

func TestResolveFromEnvironmentAndFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return "file:" + path
	}
	r, _, log := resolver(t, secret.Options{LookupEnv: env(map[string]string{"TOKEN": "t0k3n", "EMPTY": ""})})
	want(t, r, "env:TOKEN", "t0k3n")
	want(t, r, write("a", "s3cr3t\r\n", 0o600), "s3cr3t")
	want(t, r, write("b", "  two words \n\n", 0o600), "  two words ")
	beside, _, _ := resolver(t, secret.Options{Dir: dir})
	want(t, beside, "file:a", "s3cr3t")
	want(t, beside, "file:"+filepath.Join(dir, "a"), "s3cr3t")
	if log.Len() > 0 {
		t.Errorf("log of private files: %s", log)
	}
	open := write("c", "0p3n\n", 0o644)
	want(t, r, open, "0p3n")
	if !strings.Contains(log.String(), "chmod 600") || strings.Contains(log.String(), "0p3n") {
		t.Errorf("a file that everybody can read: log %q", log)
	}

	for ref, says := range map[string]string{
		"env:MISSING":                        "not set",
		"env:EMPTY":                          "empty",
		"file:" + filepath.Join(dir, "none"): "no such file",
		write("d", "\n", 0o600):              "empty",
		"file:" + dir:                        "cannot be read",
		"ssm:/a/b":                           "env:NAME or file:PATH",
	} {
		_, err := r.Resolve(t.Context(), ref)
		if err == nil || !strings.Contains(err.Error(), ref) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want the reference and %q", ref, err, says)
		}
	}
}

// case C7: what is no reference may be the secret itself.
func TestWhatIsNoReferenceIsNotRepeated(t *testing.T) {
	r, _, log := resolver(t, secret.Options{})
	for _, ref := range []string{"https://hooks.slack.com/services/T/B/x", "xoxb-1-2", "", "env:", "ssm:", "vault:x", "Env:PATH"} {
		_, err := r.Resolve(t.Context(), ref)
		if !errors.Is(err, secret.ErrReference) || (ref != "" && strings.Contains(err.Error()+log.String(), strings.TrimPrefix(ref, "https://"))) && !strings.HasSuffix(ref, ":") {
			t.Errorf("%q: error %v, log %q", ref, err, log)
		}
	}
}

func TestValuesAreKeptForFiveMinutes(t *testing.T) {
	values := map[string]string{"A": "1"}
	r, c, _ := resolver(t, secret.Options{LookupEnv: env(values)})
	want(t, r, "env:A", "1")
	values["A"] = "2"
	c.pass(5*time.Minute - 1)
	want(t, r, "env:A", "1")
	c.pass(1)
	want(t, r, "env:A", "2")
	values["A"] = "3"
	r.Invalidate("env:A")
	want(t, r, "env:A", "3")
	r.Invalidate("env:NEVER_READ")
}

// A failure is not remembered, and while a secret cannot be read again its old
// value serves.
func TestFailedReads(t *testing.T) {
	values := map[string]string{}
	r, c, log := resolver(t, secret.Options{LookupEnv: env(values)})
	if _, err := r.Resolve(t.Context(), "env:A"); err == nil {
		t.Fatal("no error for a variable that is not set")
	}
	values["A"] = "v4lu3"
	want(t, r, "env:A", "v4lu3")
	delete(values, "A")
	c.pass(time.Hour)
	want(t, r, "env:A", "v4lu3")
	if !strings.Contains(log.String(), "env:A") || strings.Contains(log.String(), "v4lu3") {
		t.Errorf("log %q: want a warning that names the reference", log)
	}
	r.Invalidate("env:A")
	if _, err := r.Resolve(t.Context(), "env:A"); err == nil {
		t.Error("an invalidated value serves on")
	}
}

func TestManyAskOnce(t *testing.T) {
	release, asked := make(chan struct{}), make(chan struct{}, 100)
	r, _, _ := resolver(t, secret.Options{LookupEnv: func(string) (string, bool) {
		asked <- struct{}{}
		<-release
		return "v", true
	}})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { want(t, r, "env:A", "v") })
	}
	<-asked
	// One who gives up does not take the read away from the others.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Resolve(ctx, "env:A"); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	close(release)
	wg.Wait()
	if n := len(asked); n != 0 {
		t.Errorf("read %d times more than once", n)
	}
}

// A value whose read began before Invalidate is not remembered after it.
func TestInvalidateDuringARead(t *testing.T) {
	reading, release := make(chan struct{}, 1), make(chan string)
	r, _, _ := resolver(t, secret.Options{LookupEnv: func(string) (string, bool) {
		reading <- struct{}{}
		return <-release, true
	}})
	done := make(chan struct{})
	go func() {
		defer close(done)
		want(t, r, "env:A", "old")
	}()
	<-reading
	r.Invalidate("env:A")
	release <- "old"
	<-done
	go func() { release <- "new" }()
	want(t, r, "env:A", "new")
}
