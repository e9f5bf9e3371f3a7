package replay

import (
	"runtime"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// DefaultLateAfter is how long after the beginning of a real failure an open
// still counts as in time.
const DefaultLateAfter = 5 * time.Minute

// Options are what a replay may be told beside rows and policies.
type Options struct {
	// LateAfter is when an open counts as late; zero stands for
	// DefaultLateAfter.
	LateAfter time.Duration
	// OnNotice is given every notice of the first candidate, in the order of
	// the trace.
	OnNotice func(Notice)
	// OnRows is told now and then how many rows have been read.
	OnRows func(rows int64)
	// Workers bounds the processors used; zero is all of them.
	Workers int
}

// Result is what the candidates came to.
type Result struct {
	Rows int64
	// Keys is the number of keys, KeysWithTruth how many have truth somewhere.
	Keys          int
	KeysWithTruth int
	// First and Last are the earliest and latest tick.
	First, Last time.Time
	Candidates  []Candidate
	// Tallies are those of the candidates, in their order.
	Tallies []*Tally

	// spans are what the first candidate saw of each key.
	spans map[string]span
}

// batchSize is how many rows the candidates are given at once: enough that
// handing them out costs nothing.
const batchSize = 4096

// Run folds the rows under every candidate. It keeps one state per key and
// candidate, and nothing that grows with the number of rows. Candidates share
// the processors; the result is the same however many there are.
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

// span is what is worth knowing of a key before it is drawn.
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

// foldAll gives the batch to every folder, several at a time.
func foldAll(folders []*folder, batch []trace.Row, workers int) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(folders))
	if workers <= 1 {
		for _, f := range folders {
			f.fold(batch)
		}
		return
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(folders); i += workers {
				folders[i].fold(batch)
			}
		})
	}
	wg.Wait()
}

// folder is one candidate at work.
type folder struct {
	candidate Candidate
	lateAfter time.Duration
	keys      map[string]*track
	tally     *Tally
	onNotice  func(Notice)
}

func newFolder(c Candidate, lateAfter time.Duration) *folder {
	return &folder{candidate: c, lateAfter: lateAfter, keys: make(map[string]*track), tally: newTally()}
}

func (f *folder) fold(batch []trace.Row) {
	for i := range batch {
		row := &batch[i]
		k := f.keys[row.IncidentKey]
		if k == nil {
			k = &track{state: incident.State{Key: row.IncidentKey}}
			f.keys[row.IncidentKey] = k
		}
		a, r := k.step(row, f.candidate.policyFor(row.Observation), f.lateAfter, f.tally)
		if a != incident.None && f.onNotice != nil {
			f.onNotice(Notice{
				Tick: observation.FormatTick(row.Tick), IncidentKey: row.IncidentKey, Episode: k.state.Episode,
				Sequence: k.state.Sequence, Action: a, Reason: r.String(), Owner: ownerOf(k.state.Owner),
			})
		}
	}
}
