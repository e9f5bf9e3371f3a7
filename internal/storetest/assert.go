package storetest

import (
	"errors"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ringonce/ringonce/internal/incident"
)

// tb is what checks need of a test of package testing or rapid.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// equal compares values as a store must preserve them: nil and empty are equal, times
// are the same moment in UTC.
func equal(t tb, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.Comparer(sameTime)); diff != "" {
		t.Errorf("%s differs (- want, + got):\n%s", what, diff)
	}
}

func sameTime(a, b time.Time) bool { return a.Equal(b) && a.Location() == b.Location() }

func ok(t tb, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// must wraps an operation's results; the function it returns ends the test on an
// error: must(s.Gate(ctx, "slack"))(t).
func must[T any](v T, err error) func(tb) T {
	return func(t tb) T {
		t.Helper()
		ok(t, err)
		return v
	}
}

// busy reports whether the same write may be retried.
func busy(err error) bool { return errors.Is(err, incident.ErrBusy) }

func fails(t tb, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
}

// sideBySide calls f n times at once and returns how many calls had no error.
// Any error but the expected one fails the test.
func sideBySide(t tb, n int, expected error, f func(i int) error) int {
	t.Helper()
	errs := make([]error, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	wg.Wait()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, expected):
			t.Errorf("error is %v, want none or %v", err, expected)
		}
	}
	return won
}
