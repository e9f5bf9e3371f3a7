package mapping

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

func TestBatchesComeInOrderAndOnce(t *testing.T) {
	h := newHarness(t)
	seqs := h.write(7)
	h.drain()
	equal(t, "invocations", h.function.seen, [][]string{seqs[:3], seqs[3:6], seqs[6:]})
	later := h.write(1)
	h.drain()
	equal(t, "handled", h.function.handled, append(seqs, later...))
	equal(t, "count", h.mapping.Handled(), int64(8))
}

func TestTheFilterKeepsRecordsOut(t *testing.T) {
	h := newHarness(t)
	filter, err := ParseFilter(`{"eventName": ["INSERT"]}`)
	if err != nil {
		t.Fatal(err)
	}
	h.config.Settings.Filter = filter
	h.stream.write("shard-1", "MODIFY", "a")
	insert := h.stream.write("shard-1", "INSERT", "a")
	last := h.stream.write("shard-1", "REMOVE", "a")
	h.drain()
	equal(t, "invocations", h.function.seen, [][]string{{insert}})
	after, _ := h.config.Checkpoints.After("shard-1")
	equal(t, "checkpoint", after, last)
}

func TestFilterPatternsThatAreNotUnderstood(t *testing.T) {
	for _, pattern := range []string{
		`{"dynamodb": {"NewImage": {}}}`, `{"eventName": ["INSERT"], "dynamodb": {}}`,
		`{"eventName": [{"prefix": "I"}]}`, `{"eventName": ["insert"]}`, `{}`, `nonsense`,
	} {
		if _, err := ParseFilter(pattern); err == nil {
			t.Errorf("pattern %s: no error", pattern)
		}
	}
}

// A restart goes on after what was handled; a failure reported for the second
// of three records lets the first count.
func TestARestartGoesOnFromTheCheckpoint(t *testing.T) {
	h := newHarness(t)
	path := filepath.Join(t.TempDir(), "observations.json")
	h.config.Checkpoints, _ = OpenCheckpoints(path, testARN)
	h.config.Settings.MaximumRetryAttempts = -1
	seqs := h.write(3)
	failing := make(chan struct{}, 1)
	h.function.fails = func(seq string) bool {
		if seq == seqs[1] {
			select {
			case failing <- struct{}{}:
			default:
			}
		}
		return seq == seqs[1]
	}
	h.start()
	go h.mapping.Drain(t.Context())
	<-failing
	h.stop()

	h.function.fails = nil
	h.function.seen = nil
	var err error
	if h.config.Checkpoints, err = OpenCheckpoints(path, testARN); err != nil {
		t.Fatal(err)
	}
	h.drain()
	equal(t, "invocations after the restart", h.function.seen, [][]string{seqs[1:]})
}

func TestCheckpointsOfAnotherStreamDoNotCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	c, _ := OpenCheckpoints(path, testARN)
	if err := c.Save("shard-1", "100"); err != nil {
		t.Fatal(err)
	}
	other, err := OpenCheckpoints(path, testARN+"-made-anew")
	if err != nil {
		t.Fatal(err)
	}
	if after, found := other.After("shard-1"); found {
		t.Errorf("a new stream starts after %s", after)
	}
	same, _ := OpenCheckpoints(path, testARN)
	if after, _ := same.After("shard-1"); after != "100" {
		t.Errorf("the same stream starts after %q, want 100", after)
	}
}

func TestChildShardsWaitForTheirParents(t *testing.T) {
	h := newHarness(t)
	first := h.write(4)
	h.stream.open("shard-2", "shard-1")
	child := h.stream.write("shard-2", "INSERT", "key-0")
	// While the parent is open its child must not be read.
	h.drain()
	equal(t, "handled", h.function.handled, first)
	h.stream.mu.Lock()
	h.stream.shards["shard-1"].ended = true
	h.stream.mu.Unlock()
	h.drain()
	equal(t, "handled", h.function.handled, append(first, child))
	h.stream.mu.Lock()
	h.stream.shards["shard-2"].ended = true
	h.stream.mu.Unlock()
	h.stream.open("shard-3", "shard-2")
	grandchild := h.stream.write("shard-3", "INSERT", "key-0")
	h.drain()
	equal(t, "handled", h.function.handled, append(first, child, grandchild))
}

func TestAnExpiredIteratorReadsOnFromTheCheckpoint(t *testing.T) {
	h := newHarness(t)
	seqs := h.write(2)
	h.drain()
	h.stream.mu.Lock()
	h.stream.age++
	h.stream.mu.Unlock()
	seqs = append(seqs, h.write(2)...)
	h.drain()
	equal(t, "handled", h.function.handled, seqs)
}

func TestATrimmedCheckpointReadsFromTheHorizon(t *testing.T) {
	h := newHarness(t)
	seqs := h.write(5)
	h.config.Checkpoints.Save("shard-1", seqs[0])
	h.stream.shards["shard-1"].trimmed = 3
	h.drain()
	equal(t, "handled", h.function.handled, seqs[3:])
}

func TestAnEngineThatIsDownIsReportedOnceAndOutlived(t *testing.T) {
	h := newHarness(t)
	var problems []error
	h.config.Problem = func(err error) { problems = append(problems, err) }
	h.config.PollEvery = time.Nanosecond
	h.stream.fail = true
	h.start()
	for described := 0; described < 3; {
		h.stream.mu.Lock()
		described = h.stream.described
		h.stream.mu.Unlock()
	}
	h.stream.mu.Lock()
	h.stream.fail = false
	h.stream.mu.Unlock()
	seqs := h.write(1)
	h.drain()
	h.stop()
	equal(t, "handled", h.function.handled, seqs)
	equal(t, "problems", len(problems), 1)
}

func TestDrainEndsWithTheMappingOrTheContext(t *testing.T) {
	h := newHarness(t)
	h.start()
	ended := h.mapping
	h.stop()
	if err := ended.Drain(t.Context()); err == nil {
		t.Error("a stopped mapping says its stream is drained")
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(h.config).Drain(over); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

// A wait that began after a pass had begun is not ended by that pass: rows may
// have been written between the pass's read and the wait.
func TestADrainIsNotEndedByAnEarlierPass(t *testing.T) {
	d := newDrains()
	before := d.wanted()
	ended := make(chan error, 1)
	go func() { ended <- d.wait(t.Context()) }()
	<-d.wake
	d.reached(before)
	d.mu.Lock()
	waiting := len(d.waiting)
	d.mu.Unlock()
	equal(t, "still waiting", waiting, 1)
	d.reached(d.wanted())
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
