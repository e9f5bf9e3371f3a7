package mapping

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whatever fails however often, every record is handled or given up, and the
// records of one key are handled in order.
func TestPropertyNothingIsLostAndKeysStayInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := newHarness(t)
		h.config.Settings = Settings{
			BatchSize:                  rapid.IntRange(1, 7).Draw(rt, "batch size"),
			ParallelizationFactor:      rapid.IntRange(1, 4).Draw(rt, "lanes"),
			ReportBatchItemFailures:    true,
			BisectBatchOnFunctionError: rapid.Bool().Draw(rt, "bisect"),
			MaximumRetryAttempts:       rapid.IntRange(0, 3).Draw(rt, "retries"),
		}
		h.config.Backoff = func(int) time.Duration { return 0 }
		keys := map[string]string{}
		failures := map[string]int{}
		var all []string
		for range rapid.IntRange(1, 30).Draw(rt, "records") {
			key := strconv.Itoa(rapid.IntRange(0, 4).Draw(rt, "key"))
			seq := h.stream.write("shard-1", "INSERT", key)
			keys[seq] = key
			failures[seq] = rapid.SampledFrom([]int{0, 0, 0, 1, 2, 100}).Draw(rt, "failures")
			all = append(all, seq)
		}
		fails := func(seq string) bool { failures[seq]--; return failures[seq] >= 0 }
		if rapid.Bool().Draw(rt, "fails as a whole") {
			h.function.crash = func(seqs []string) error {
				if slices.ContainsFunc(seqs, fails) {
					return errCrash
				}
				return nil
			}
		} else {
			h.function.fails = inOrder(keys, fails)
		}
		m := New(h.config)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go m.Run(ctx)
		if err := m.Drain(ctx); err != nil {
			rt.Fatal(err)
		}
		checkNothingLost(rt, h, all)
		checkOrder(rt, h.function.handled, keys)
		if int(m.Handled()) != len(all) {
			rt.Errorf("%d counted, want %d", m.Handled(), len(all))
		}
	})
}

// inOrder makes a function that handles no record of a key after one that
// failed in the same invocation. An invocation is told apart by the records'
// numbers: they grow within one, and a retry starts at an old one again.
func inOrder(keys map[string]string, fails func(string) bool) func(string) bool {
	blocked := map[string]string{}
	return func(seq string) bool {
		if since, ok := blocked[keys[seq]]; ok && seq > since {
			return true
		}
		delete(blocked, keys[seq])
		if fails(seq) {
			blocked[keys[seq]] = seq
			return true
		}
		return false
	}
}

func checkNothingLost(rt *rapid.T, h *harness, all []string) {
	for _, seq := range all {
		handled := slices.Contains(h.function.handled, seq)
		for _, f := range h.failures.All() {
			handled = handled || f.Batch.StartSequence <= seq && seq <= f.Batch.EndSequence
		}
		if !handled {
			rt.Errorf("record %s was neither handled nor given up", seq)
		}
	}
}

// checkOrder looks at the first time each record was handled.
func checkOrder(rt *rapid.T, handled []string, keys map[string]string) {
	last, seen := map[string]string{}, map[string]bool{}
	for _, seq := range handled {
		if seen[seq] {
			continue
		}
		seen[seq] = true
		if seq < last[keys[seq]] {
			rt.Errorf("record %s was handled after %s of the same key", seq, last[keys[seq]])
		}
		last[keys[seq]] = seq
	}
}
