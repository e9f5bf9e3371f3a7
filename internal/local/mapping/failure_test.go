package mapping

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var errCrash = errors.New("the handler crashed")

// Case O5: a poison record reaches the failure queue, its neighbours are
// handled. The function handles each record on its own.
func TestCaseO5PoisonIsGivenUpAndNeighboursAreHandled(t *testing.T) {
	h := newHarness(t)
	seqs := h.write(8)
	poison := seqs[1]
	h.function.fails = func(seq string) bool { return seq == poison }
	h.drain()
	for i, seq := range seqs {
		if handled := slices.Contains(h.function.handled, seq); handled != (seq != poison) {
			t.Errorf("record %d: handled %t", i, handled)
		}
	}
	all := h.failures.All()
	if len(all) != 1 {
		t.Fatalf("%d failures, want 1", len(all))
	}
	f := all[0]
	equal(t, "batch", f.Batch, BatchInfo{
		ShardID: "shard-1", StreamARN: testARN, StartSequence: poison, EndSequence: seqs[2],
		FirstArrival: testTime, LastArrival: testTime, BatchSize: 2,
	})
	equal(t, "condition", f.RequestContext.Condition, "RetryAttemptsExhausted")
	// The first call counts what came before; two retries follow it.
	equal(t, "invocations of the batch", f.RequestContext.ApproximateInvokeCount, 3)
}

// Case O5 for a function that fails as a whole: halving leaves the poison
// record alone.
func TestCaseO5BisectingIsolatesPoison(t *testing.T) {
	h := newHarness(t)
	h.config.Settings.BatchSize = 10
	h.config.Settings.BisectBatchOnFunctionError = true
	seqs := h.write(9)
	poison := seqs[5]
	h.function.crash = func(batch []string) error {
		if slices.Contains(batch, poison) {
			return errCrash
		}
		return nil
	}
	h.drain()
	equal(t, "handled", h.function.handled, slices.Concat(seqs[:5], seqs[6:]))
	all := h.failures.All()
	if len(all) != 1 || all[0].Batch.StartSequence != poison || all[0].Batch.BatchSize != 1 {
		t.Errorf("failures %+v, want the poison record alone", all)
	}
}

func TestWithoutBisectingTheWholeBatchIsGivenUp(t *testing.T) {
	h := newHarness(t)
	seqs := h.write(5)
	h.function.crash = func(batch []string) error {
		if batch[0] == seqs[0] {
			return errCrash
		}
		return nil
	}
	h.drain()
	equal(t, "handled", h.function.handled, seqs[3:])
	equal(t, "invocations", len(h.function.seen), 3+1)
	equal(t, "given up", h.failures.All()[0].Batch.BatchSize, 3)
}

func TestRetriesWithoutLimit(t *testing.T) {
	h := newHarness(t)
	h.config.Settings.MaximumRetryAttempts = -1
	seqs := h.write(1)
	tries := 0
	h.function.crash = func([]string) error {
		if tries++; tries < 50 {
			return errCrash
		}
		return nil
	}
	h.drain()
	equal(t, "handled", h.function.handled, seqs)
	equal(t, "given up", len(h.failures.All()), 0)
}

func TestBackoffGrowsWithFailuresInARow(t *testing.T) {
	h := newHarness(t)
	var pauses []int
	h.config.Backoff = func(n int) time.Duration { pauses = append(pauses, n); return 0 }
	h.write(3)
	tries := map[string]int{}
	h.function.fails = func(seq string) bool { tries[seq]++; return tries[seq] <= 2 }
	h.drain()
	equal(t, "failures in a row at each pause", pauses, []int{1, 2})
	equal(t, "default pauses", []time.Duration{defaultBackoff(1), defaultBackoff(2), defaultBackoff(90)},
		[]time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 10 * time.Second})
}

// Each of three records fails twice, one after the other; none of them uses up
// the two retries of the others.
func TestProgressStartsTheCountOfRetriesAnew(t *testing.T) {
	h := newHarness(t)
	seqs := h.write(3)
	left := map[string]int{seqs[0]: 2, seqs[1]: 2, seqs[2]: 2}
	h.function.fails = func(seq string) bool {
		for _, earlier := range seqs[:slices.Index(seqs, seq)] {
			if left[earlier] >= 0 {
				return false
			}
		}
		left[seq]--
		return left[seq] >= 0
	}
	h.drain()
	equal(t, "given up", len(h.failures.All()), 0)
	equal(t, "invocations", len(h.function.seen), 7)
}

func TestRecordsThatAreTooOldAreGivenUpUnseen(t *testing.T) {
	h := newHarness(t)
	h.config.Settings.MaximumRecordAge = time.Minute
	h.config.Now = func() time.Time { return testTime.Add(time.Minute + time.Second) }
	seqs := h.write(4)
	fresh := testTime.Add(30 * time.Second)
	h.stream.shards["shard-1"].records[2].Dynamodb.ApproximateCreationDateTime = &fresh
	h.drain()
	equal(t, "handled", h.function.handled, seqs[2:3])
	var ages []string
	for _, f := range h.failures.All() {
		ages = append(ages, f.RequestContext.Condition+" "+f.Batch.StartSequence+" "+f.Batch.EndSequence)
	}
	equal(t, "given up", ages, []string{
		"RecordAgeExceeded " + seqs[0] + " " + seqs[1], "RecordAgeExceeded " + seqs[3] + " " + seqs[3],
	})
}

func TestWhatTheFunctionsAnswerMeans(t *testing.T) {
	batch := newHarness(t)
	seqs := batch.write(3)
	records := make([]record, 3)
	for i, r := range batch.stream.shards["shard-1"].records {
		records[i] = record{Record: r, place: i}
	}
	item := func(id string) string { return `{"itemIdentifier": "` + id + `"}` }
	tests := []struct {
		name, answer string
		handled      int
	}{
		{"empty list", `{"batchItemFailures": []}`, 3},
		{"null list", `{"batchItemFailures": null}`, 3},
		{"empty object", `{}`, 3},
		{"null", `null`, 3},
		{"nothing", ``, 3},
		{"the second", `{"batchItemFailures": [` + item(seqs[1]) + `]}`, 1},
		{"lowest of two", `{"batchItemFailures": [` + item(seqs[2]) + `,` + item(seqs[1]) + `]}`, 1},
		{"the first", `{"batchItemFailures": [` + item(seqs[0]) + `]}`, 0},
		{"empty identifier", `{"batchItemFailures": [` + item("") + `]}`, 0},
		{"null identifier", `{"batchItemFailures": [{"itemIdentifier": null}]}`, 0},
		{"wrong key name", `{"batchItemFailures": [{"sequenceNumber": "` + seqs[1] + `"}]}`, 0},
		{"wrong case of the key name", `{"batchItemFailures": [{"ItemIdentifier": "` + seqs[1] + `"}]}`, 0},
		{"not of this batch", `{"batchItemFailures": [` + item("77") + `]}`, 0},
		{"not of this batch, beside one that is", `{"batchItemFailures": [` + item(seqs[2]) + `,` + item("77") + `]}`, 0},
		{"no object", `"fine"`, 0},
		{"no list", `{"batchItemFailures": "x"}`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			handled, err := handledCount([]byte(tt.answer), records)
			if handled != tt.handled || (err == nil) != (tt.handled == 3) {
				t.Errorf("answer %s: %d handled, error %v; want %d", tt.answer, handled, err, tt.handled)
			}
		})
	}
}

func TestAnswersCountOnlyWhenTheMappingSaysSo(t *testing.T) {
	h := newHarness(t)
	h.config.Settings.ReportBatchItemFailures = false
	h.function.fails = func(string) bool { return true }
	h.write(3)
	h.drain()
	equal(t, "invocations", len(h.function.seen), 1)
}

// failingQueue is a failure destination that cannot be written to at first.
type failingQueue struct {
	MemoryFailures
	left int
}

func TestNothingIsLostWhenTheFailureQueueIsDown(t *testing.T) {
	h := newHarness(t)
	queue := &failingQueue{left: 2}
	h.config.Failures = queue
	h.config.PollEvery = time.Nanosecond
	seqs := h.write(2)
	h.function.fails = func(seq string) bool { return seq == seqs[0] }
	h.drain()
	equal(t, "given up", len(queue.All()), 1)
	if !slices.Contains(h.function.handled, seqs[1]) {
		t.Error("the neighbour was not handled")
	}
}

func TestFileFailuresAreLinesOfJSON(t *testing.T) {
	h := newHarness(t)
	path := filepath.Join(t.TempDir(), "failures.jsonl")
	h.config.Failures = &FileFailures{Path: path}
	seqs := h.write(4)
	h.function.crash = func([]string) error { return errCrash }
	h.drain()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var starts []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var f struct {
			Batch struct {
				Start string `json:"startSequenceNumber"`
			} `json:"DDBStreamBatchInfo"`
		}
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Fatalf("line %q: %v", lines.Text(), err)
		}
		starts = append(starts, f.Batch.Start)
	}
	equal(t, "first records given up", starts, []string{seqs[0], seqs[3]})
}

func (q *failingQueue) Add(ctx context.Context, f Failure) error {
	if q.left > 0 {
		q.left--
		return errors.New("the queue is down")
	}
	return q.MemoryFailures.Add(ctx, f)
}

// A mapping that is stopped while its function runs gives nothing up, even
// when the function's failure would have been the last straw.
func TestStoppingGivesNothingUp(t *testing.T) {
	h := newHarness(t)
	h.config.Settings.MaximumRetryAttempts = 0
	seqs := h.write(1)
	invoked, stopped := make(chan struct{}), make(chan struct{})
	h.function.crash = func([]string) error {
		close(invoked)
		<-stopped
		return errCrash
	}
	m := New(h.config)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		m.Run(ctx)
		close(ended)
	}()
	<-invoked
	stop()
	close(stopped)
	<-ended
	equal(t, "given up", len(h.failures.All()), 0)
	h.function.crash = nil
	h.drain()
	equal(t, "handled after a new start", h.function.handled, seqs)
}
