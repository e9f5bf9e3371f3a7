package poll

import (
	"context"
	"fmt"
	"sync"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// maxEnriched bounds the enrichment requests of one poll, to limit the vendor's load.
const maxEnriched = 10

// enrich requests details of each new failure, concurrently, and returns the number of
// requests. A failed request only leaves its failure without details.
func (p *Poller) enrich(ctx context.Context, src config.Source, s *result, keys watched) int {
	if p.Enricher == nil || src.Enrich.URL == "" {
		return 0
	}
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		asked int
		cut   bool
	)
	for i := range s.observations {
		o := &s.observations[i]
		_, known := keys[o.IncidentKey]
		if known || o.Source != src.ID || o.Verdict != observation.Failing || o.Evidence.VendorID == "" {
			continue
		}
		if asked == maxEnriched {
			cut = true
			break
		}
		asked++
		wg.Go(func() {
			more, err := p.Enricher.Enrich(ctx, src, o.Evidence)
			mu.Lock()
			defer mu.Unlock()
			o.Evidence, o.Enriched = more, err == nil
			if err != nil {
				s.note(o.IncidentKey + ": " + err.Error())
			}
		})
	}
	wg.Wait()
	if cut {
		s.note(fmt.Sprintf("more than %d failures are new; the others have only the evidence of the list", maxEnriched))
	}
	return asked
}

// note adds a problem that does not make the listing incomplete.
func (s *result) note(what string) {
	s.problems = append(s.problems, observation.Problem{What: what, Evidence: true})
}
