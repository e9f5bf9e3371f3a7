package storetest

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

var runChecks = []check{
	{"a tick is claimed once (case D8)", claimOnce},
	{"claims of a tick at once: one wins (case D8)", claimAtOnce},
	{"a lost run may be claimed when its lease ends", claimLost},
	{"the holder may claim again", claimAgain},
	{"only the holder finishes a run", finishRun},
	{"a released tick may be claimed at once", releaseRun},
	{"runs come newest first", newestRuns},
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

func finishRun(t *testing.T, s Store) {
	run := polling(at(10), "w1", at(10, 1))
	fails(t, s.FinishRun(ctx, run), observation.ErrRunClaimed)
	ok(t, s.ClaimRun(ctx, run, at(10)))
	run.State, run.Ended, run.Items, run.Waited = observation.RunPartial, at(10, 0, 3), 7, 1500*time.Millisecond
	run.Problems = []string{"page 2: 502"}
	run.NotBefore, run.Skew = at(10, 7), -90*time.Second
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
