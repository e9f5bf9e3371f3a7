package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

var runChecks = []check{
	{"a tick is claimed once (case D8)", claimOnce},
	{"claims of a tick at once: one wins (case D8)", claimAtOnce},
	{"a lost run may be claimed when its lease ends", claimLost},
	{"the holder may claim again", claimAgain},
	{"a run that read nothing may be run again, a few times", claimFailed},
	{"a skipped run is claimed again once the vendor may be asked", claimSkipped},
	{"claims of a failed run at once: one wins", claimFailedAtOnce},
	{"only the holder finishes a run", finishRun},
	{"a released tick may be claimed at once", releaseRun},
	{"runs come newest first", newestRuns},
	{"runs between two ticks come oldest first", runsBetween},
}

func polling(tick time.Time, worker string, lease time.Time) observation.Run {
	return observation.Run{Source: "sentry", Tick: tick, Worker: worker, LeaseUntil: lease, Started: tick}
}

func claimOnce(t *testing.T, s Store) {
	now := at(10, 0, 2)
	ok(t, s.ClaimRun(ctx, polling(at(10), "w1", now.Add(time.Minute)), now))
	fails(t, s.ClaimRun(ctx, polling(at(10), "w2", now.Add(time.Minute)), now), observation.ErrRunClaimed)

	other := polling(at(10), "w2", now.Add(time.Minute))
	other.Source = "sentry#2"
	ok(t, s.ClaimRun(ctx, other, now))
	ok(t, s.ClaimRun(ctx, polling(at(10, 1), "w2", now.Add(time.Minute)), now))

	run := must(s.Runs(ctx, "sentry", 1))(t)[0]
	equal(t, "claimed run", run.State, observation.RunRunning)
	run = must(s.Runs(ctx, "sentry", 2))(t)[1]
	run.State = observation.RunOK
	ok(t, s.FinishRun(ctx, run))
	muchLater := at(23)
	fails(t, s.ClaimRun(ctx, polling(at(10), "w3", muchLater.Add(time.Minute)), muchLater), observation.ErrRunClaimed)
}

func claimAtOnce(t *testing.T, s Store) {
	workers := []string{"w0", "w1", "w2", "w3", "w4", "w5"}
	won := sideBySide(t, len(workers), observation.ErrRunClaimed, func(i int) error {
		return s.ClaimRun(ctx, polling(at(10), workers[i], at(10, 1)), at(10))
	})
	equal(t, "winners", won, 1)
}

func claimLost(t *testing.T, s Store) {
	ok(t, s.ClaimRun(ctx, polling(at(10), "w1", at(10, 1)), at(10)))
	fails(t, s.ClaimRun(ctx, polling(at(10), "w2", at(10, 2)), at(10, 0, 59, 999)), observation.ErrRunClaimed)
	ok(t, s.ClaimRun(ctx, polling(at(10), "w2", at(10, 2)), at(10, 1)))
	fails(t, s.FinishRun(ctx, polling(at(10), "w1", at(10, 1))), observation.ErrRunClaimed)
	equal(t, "holder", must(s.Runs(ctx, "sentry", 1))(t)[0].Worker, "w2")
}

func claimAgain(t *testing.T, s Store) {
	run := polling(at(10), "w1", at(10, 1))
	ok(t, s.ClaimRun(ctx, run, at(10)))
	ok(t, s.ClaimRun(ctx, run, at(10)))
	run.State = observation.RunFailed
	ok(t, s.FinishRun(ctx, run))
	fails(t, s.ClaimRun(ctx, run, at(10)), observation.ErrRunClaimed)
}

func claimFailed(t *testing.T, s Store) {
	// fail claims at a minute, finishes as the state says, and asks for no rest.
	end := func(minute int, worker string, state observation.RunState, notBefore time.Time) {
		t.Helper()
		now := at(10, minute)
		ok(t, s.ClaimRun(ctx, observation.Run{Source: "sentry", Tick: at(10), Worker: worker, Started: now, LeaseUntil: now.Add(time.Minute)}, now))
		run := must(s.Runs(ctx, "sentry", 1))(t)[0]
		equal(t, "state", run.State, observation.RunRunning)
		run.State, run.NotBefore = state, notBefore
		ok(t, s.FinishRun(ctx, run))
	}
	claim := func(now time.Time) error {
		return s.ClaimRun(ctx, polling(at(10), "late", now.Add(time.Minute)), now)
	}
	end(0, "w1", observation.RunFailed, time.Time{})
	fails(t, claim(at(10, 0, 5)), observation.ErrRunClaimed)
	end(1, "w2", observation.RunFailed, at(10, 30))
	fails(t, claim(at(10, 29)), observation.ErrRunClaimed)
	end(30, "w3", observation.RunFailed, time.Time{})
	equal(t, "tries", must(s.Runs(ctx, "sentry", 1))(t)[0].Try, 3)
	fails(t, claim(at(11)), observation.ErrRunClaimed)
	equal(t, "runs", len(must(s.Runs(ctx, "sentry", 9))(t)), 1)
	for _, state := range []observation.RunState{observation.RunOK, observation.RunPartial} {
		run := observation.Run{Source: string(state), Tick: at(10), Worker: "w", Started: at(10), LeaseUntil: at(10, 1)}
		ok(t, s.ClaimRun(ctx, run, at(10)))
		run.State = state
		ok(t, s.FinishRun(ctx, run))
		fails(t, s.ClaimRun(ctx, run, at(11)), observation.ErrRunClaimed)
	}
}

// claimSkipped: a vendor was not asked, and may be later in the same interval.
func claimSkipped(t *testing.T, s Store) {
	run := polling(at(10), "w", at(10, 1))
	ok(t, s.ClaimRun(ctx, run, at(10)))
	run.State, run.Try, run.NotBefore = observation.RunSkipped, 1, at(10, 30)
	ok(t, s.FinishRun(ctx, run))
	again := polling(at(10), "w2", at(10, 31))
	again.Started = at(10, 30)
	fails(t, s.ClaimRun(ctx, again, at(10, 29)), observation.ErrRunClaimed)
	ok(t, s.ClaimRun(ctx, again, at(10, 30)))
	equal(t, "tries", must(s.Runs(ctx, "sentry", 1))(t)[0].Try, 2)
	third := polling(at(10), "w3", at(10, 31))
	fails(t, s.ClaimRun(ctx, third, at(10, 30)), observation.ErrRunClaimed)
}

func claimFailedAtOnce(t *testing.T, s Store) {
	run := polling(at(10), "w", at(10, 1))
	ok(t, s.ClaimRun(ctx, run, at(10)))
	run.State = observation.RunFailed
	ok(t, s.FinishRun(ctx, run))
	workers := []string{"w0", "w1", "w2", "w3", "w4", "w5"}
	won := sideBySide(t, len(workers), observation.ErrRunClaimed, func(i int) error {
		again := polling(at(10), workers[i], at(10, 2))
		again.Started = at(10, 1)
		return s.ClaimRun(ctx, again, at(10, 1))
	})
	equal(t, "winners", won, 1)
}

func finishRun(t *testing.T, s Store) {
	run := polling(at(10), "w1", at(10, 1))
	fails(t, s.FinishRun(ctx, run), observation.ErrRunClaimed)
	ok(t, s.ClaimRun(ctx, run, at(10)))
	run.State, run.Ended, run.Items, run.Waited = observation.RunPartial, at(10, 0, 3), 7, 1500*time.Millisecond
	run.Problems = []string{"page 2: 502"}
	run.NotBefore, run.Skew = at(10, 7), -90*time.Second
	run.NewKeys, run.NewKeysLeft = []string{"k1/error/a=b"}, 7
	ok(t, s.FinishRun(ctx, run))
	equal(t, "finished run", must(s.Runs(ctx, "sentry", 9))(t), []observation.Run{run})

	stranger := run
	stranger.Worker = "w2"
	fails(t, s.FinishRun(ctx, stranger), observation.ErrRunClaimed)
}

func releaseRun(t *testing.T, s Store) {
	ok(t, s.ReleaseRun(ctx, polling(at(10), "w1", at(10, 1))))
	ok(t, s.ClaimRun(ctx, polling(at(10), "w1", at(10, 1)), at(10)))
	ok(t, s.ReleaseRun(ctx, polling(at(10), "w2", at(10, 1))))
	fails(t, s.ClaimRun(ctx, polling(at(10), "w3", at(10, 1)), at(10)), observation.ErrRunClaimed)
	ok(t, s.ReleaseRun(ctx, polling(at(10), "w1", at(10, 1))))
	ok(t, s.ClaimRun(ctx, polling(at(10), "w3", at(10, 1)), at(10)))

	done := polling(at(10), "w3", at(10, 1))
	done.State = observation.RunOK
	ok(t, s.FinishRun(ctx, done))
	ok(t, s.ReleaseRun(ctx, done))
	fails(t, s.ClaimRun(ctx, polling(at(10), "w4", at(10, 1)), at(10)), observation.ErrRunClaimed)
}

func newestRuns(t *testing.T, s Store) {
	for _, minute := range []int{2, 0, 3, 1} {
		ok(t, s.ClaimRun(ctx, polling(at(10, minute), "w", at(11)), at(10)))
	}
	ticks := func(limit int) (all []time.Time) {
		for _, r := range must(s.Runs(ctx, "sentry", limit))(t) {
			all = append(all, r.Tick)
		}
		return all
	}
	equal(t, "newest three", ticks(3), []time.Time{at(10, 3), at(10, 2), at(10, 1)})
	equal(t, "all", len(ticks(99)), 4)
	equal(t, "none", len(ticks(0)), 0)
	equal(t, "unknown source", len(must(s.Runs(ctx, "datadog", 9))(t)), 0)
}

func runsBetween(t *testing.T, s Store) {
	for minute := range 6 {
		ok(t, s.ClaimRun(ctx, polling(at(10, minute), "w", at(11)), at(10)))
	}
	other := polling(at(10, 2), "w", at(11))
	other.Source = "sentry2"
	ok(t, s.ClaimRun(ctx, other, at(10)))
	between := func(from, to time.Time) (minutes []int) {
		ok(t, s.RunsBetween(ctx, "sentry", from, to, func(r observation.Run) error {
			minutes = append(minutes, r.Tick.Minute())
			return nil
		}))
		return minutes
	}
	equal(t, "some", between(at(10, 1), at(10, 3)), []int{1, 2, 3})
	equal(t, "all", len(between(at(9), at(11))), 6)
	equal(t, "back to front", len(between(at(11), at(9))), 0)
	stop := errors.New("enough")
	fails(t, s.RunsBetween(ctx, "sentry", at(9), at(11), func(observation.Run) error { return stop }), stop)
}
