package replay

import (
	"runtime"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

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

// folder folds rows under one candidate.
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
		a, r := k.take(row, f.candidate.policyFor(row.Observation), f.lateAfter, f.tally)
		if a != incident.None && f.onNotice != nil {
			f.onNotice(Notice{
				Tick: observation.FormatTick(row.Tick), IncidentKey: row.IncidentKey, Episode: k.state.Episode,
				Sequence: k.state.Sequence, Action: a, Reason: r.String(), Owner: ownerOf(k.state.Owner),
			})
		}
	}
}
