package mapping

import (
	"context"
	"strconv"
	"testing"
)

func TestTheCheckpointFollowsTheFirstRecordThatIsNotDone(t *testing.T) {
	h := newHarness(t)
	h.write(4)
	page := h.stream.shards["shard-1"].records
	var saved []string
	w := &window{shard: "shard-1", page: page, done: make([]bool, 4), save: func(_, after string) error {
		saved = append(saved, after)
		return nil
	}}
	var want []string
	for _, step := range []struct{ done, reached int }{{2, 0}, {0, 1}, {1, 3}, {3, 4}} {
		if err := w.mark([]record{{Record: page[step.done], place: step.done}}); err != nil {
			t.Fatal(err)
		}
		if step.reached > 0 {
			want = append(want, *page[step.reached-1].Dynamodb.SequenceNumber)
		}
		equal(t, "saved after record "+strconv.Itoa(step.done), saved, want)
	}
}

func TestRecordsOfOneItemShareALane(t *testing.T) {
	h := newHarness(t)
	h.config.Settings.ParallelizationFactor = 4
	m := New(h.config)
	lanes := map[string]map[int]bool{}
	for i := range 40 {
		key := strconv.Itoa(i % 8)
		h.stream.write("shard-1", "INSERT", key)
		r := h.stream.shards["shard-1"].records[i]
		if lanes[key] == nil {
			lanes[key] = map[int]bool{}
		}
		lanes[key][m.lane(r)] = true
	}
	used := map[int]bool{}
	for key, of := range lanes {
		if len(of) != 1 {
			t.Errorf("key %s is spread over %d lanes", key, len(of))
		}
		for lane := range of {
			used[lane] = true
		}
	}
	if len(used) < 2 {
		t.Errorf("all keys are in %d lane", len(used))
	}
}

// As in AWS, what shares only its partition key may be handled out of order, where a
// mapping takes several batches at once.
func TestItemsOfOneKeyAreSpreadOverLanes(t *testing.T) {
	h := newHarness(t)
	h.config.Settings.ParallelizationFactor = 2
	m := New(h.config)
	used := map[int]bool{}
	for i := range 20 {
		h.stream.writeItem("shard-1", "INSERT", "key", strconv.Itoa(i))
		used[m.lane(h.stream.shards["shard-1"].records[i])] = true
	}
	if len(used) != 2 {
		t.Errorf("20 items of a key are in %d lane", len(used))
	}
}

// Lanes run side by side: an invocation in one of them waits for one in the
// other.
func TestLanesRunSideBySide(t *testing.T) {
	h := newHarness(t)
	h.config.Settings = Settings{BatchSize: 1, ParallelizationFactor: 2}
	m := New(h.config)
	h.write(8)
	page := h.stream.shards["shard-1"].records
	first := page[0]
	other := page[0]
	for _, r := range page {
		if m.lane(r) != m.lane(first) {
			other = r
		}
	}
	h.stream.shards["shard-1"].records = append(page[:0:0], first, other)
	m.Function = meeting(2)
	if err := m.handle(t.Context(), "shard-1", h.stream.shards["shard-1"].records); err != nil {
		t.Fatal(err)
	}
}

// meeting returns a function whose invocations end only when n of them run.
func meeting(n int) Function {
	arrived := make(chan struct{}, n)
	all := make(chan struct{})
	return functionOf(func() {
		arrived <- struct{}{}
		if len(arrived) == n {
			close(all)
		}
		<-all
	})
}

type functionOf func()

func (f functionOf) Invoke(context.Context, []byte) ([]byte, error) {
	f()
	return nil, nil
}
