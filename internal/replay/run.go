package replay

import (
	"time"

	"github.com/ringonce/ringonce/internal/replay/trace"
)

// DefaultLateAfter is how long after the start of a real failure an open is still in
// time.
const DefaultLateAfter = 5 * time.Minute

// Options are the optional settings of a replay.
type Options struct {
	// LateAfter is when an open counts as late; zero is DefaultLateAfter.
	LateAfter time.Duration
	// OnNotice is called with every notice of the first candidate, in the order of
	// the trace.
	OnNotice func(Notice)
	// OnRows is called from time to time with the number of rows read.
	OnRows func(rows int64)
	// Workers bounds the number of processors used; zero is all of them.
	Workers int
}

// Result holds the tallies of the candidates.
type Result struct {
	Rows int64
	// Keys is the number of keys, KeysWithTruth the number of those with truth
	// somewhere.
	Keys          int
	KeysWithTruth int
	// First and Last are the earliest and latest tick.
	First, Last time.Time
	Candidates  []Candidate
	// Tallies are those of the candidates, in order.
	Tallies []*Tally

	// spans are the spans of each key under the first candidate.
	spans map[string]span
}

// batchSize is how many rows a candidate gets at once: enough that handing them over
// costs nothing.
const batchSize = 4096

// Run folds the rows under every candidate. It stores one state per key and
// candidate, and nothing that grows with the number of rows. Candidates share the
// processors; the result is the same however many there are.
func Run(rows trace.Rows, candidates []Candidate, opts Options) (*Result, error) {
	if opts.LateAfter == 0 {
		opts.LateAfter = DefaultLateAfter
	}
	r := &Result{Candidates: candidates}
	folders := make([]*folder, len(candidates))
	for i, c := range candidates {
		folders[i] = newFolder(c, opts.LateAfter)
		r.Tallies = append(r.Tallies, folders[i].tally)
	}
	if len(folders) > 0 {
		folders[0].onNotice = opts.OnNotice
	}
	batch := make([]trace.Row, 0, batchSize)
	flush := func() {
		foldAll(folders, batch, opts.Workers)
		r.Rows += int64(len(batch))
		batch = batch[:0]
		if opts.OnRows != nil {
			opts.OnRows(r.Rows)
		}
	}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		r.widen(row.Tick)
		if batch = append(batch, row); len(batch) == batchSize {
			flush()
		}
	}
	flush()
	r.close(folders)
	return r, nil
}

// span is what must be known about a key before it is drawn.
type span struct {
	notices     int
	first, last time.Time
	interval    time.Duration
}

func (r *Result) widen(tick time.Time) {
	if r.First.IsZero() || tick.Before(r.First) {
		r.First = tick
	}
	if tick.After(r.Last) {
		r.Last = tick
	}
}

func (r *Result) close(folders []*folder) {
	r.spans = make(map[string]span)
	for i, f := range folders {
		for key, k := range f.keys {
			k.end(f.tally)
			if i > 0 {
				continue
			}
			r.spans[key] = span{k.notices, k.first, k.newest, k.interval}
			r.Keys++
			if k.truth.known {
				r.KeysWithTruth++
			}
		}
	}
}
