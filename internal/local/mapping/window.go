package mapping

import (
	"context"
	"errors"
	"hash/fnv"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// handle passes one page of records to the function and returns when each of them is
// handled or given up.
func (m *Mapping) handle(ctx context.Context, shard string, page []types.Record) error {
	if len(page) == 0 {
		return nil
	}
	w := &window{shard: shard, page: page, done: make([]bool, len(page)), save: m.Checkpoints.Save}
	lanes := make([][]record, m.Settings.lanes())
	for i, r := range page {
		if !m.Settings.Filter.Pass(string(r.EventName)) {
			w.done[i] = true
			continue
		}
		lane := m.lane(r)
		lanes[lane] = append(lanes[lane], record{Record: r, place: i})
	}
	return errors.Join(m.inLanes(ctx, w, lanes), w.mark(nil))
}

// inLanes handles the lanes side by side and each lane's batches in order.
func (m *Mapping) inLanes(ctx context.Context, w *window, lanes [][]record) error {
	errs := make([]error, len(lanes))
	var running sync.WaitGroup
	for i, records := range lanes {
		running.Go(func() {
			size := m.Settings.batchSize()
			for from := 0; from < len(records) && errs[i] == nil; from += size {
				errs[i] = m.deliver(ctx, w, records[from:min(from+size, len(records))])
			}
		})
	}
	running.Wait()
	return errors.Join(errs...)
}

// lane returns the lane of a record, the same for all records that stay in order,
// which are those of one item.
func (m *Mapping) lane(r types.Record) int {
	h := fnv.New32a()
	h.Write(encode(image(r.Dynamodb.Keys)))
	return int(h.Sum32() % uint32(m.Settings.lanes()))
}

// record is a stream record and its position in its page.
type record struct {
	types.Record
	place int
}

func (r record) sequence() string { return aws.ToString(r.Dynamodb.SequenceNumber) }

// window is a page in progress. Its lanes finish out of order; the checkpoint moves
// up to the first record that is not done.
type window struct {
	shard string
	page  []types.Record
	save  func(shard, after string) error

	mu   sync.Mutex
	done []bool
	// prefix is how many records at the start are done, and saved as such.
	prefix int
}

// mark marks records as done and moves the checkpoint if it can.
func (w *window) mark(records []record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range records {
		w.done[r.place] = true
	}
	reached := w.prefix
	for reached < len(w.done) && w.done[reached] {
		reached++
	}
	if reached == w.prefix {
		return nil
	}
	if err := w.save(w.shard, aws.ToString(w.page[reached-1].Dynamodb.SequenceNumber)); err != nil {
		return err
	}
	w.prefix = reached
	return nil
}
