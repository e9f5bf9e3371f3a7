package faults_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// Fetch is the poll.Fetcher.
func (w *world) Fetch(ctx context.Context, _ config.Source) observation.Listing {
	switch w.at(ctx, fetch, "fetch") {
	case unreadable:
		return observation.Listing{Requests: 1, Problems: []observation.Problem{{What: "HTTP 500"}}}
	case partial:
		return observation.Listing{Requests: 2, Items: w.listing.Items, Problems: []observation.Problem{{Where: "page 2", What: "HTTP 500"}}}
	default:
		return w.listing
	}
}

// deployed is what only the second request brings.
const deployed = "v1"

// Enrich is the poll.Enricher.
func (w *world) Enrich(ctx context.Context, _ config.Source, have observation.Evidence) (observation.Evidence, error) {
	w.asked++
	f := w.at(ctx, enrich, "enrich")
	switch f {
	case kill:
		return have, errKilled
	case serverError:
		return have, errors.New("the vendor answered 500")
	case hang:
		w.now = w.now.Add(10 * time.Second)
		return have, errors.New("the vendor did not answer")
	case lostAnswer:
		return have, errLost
	case killAsked:
		processOf(ctx).dead = true
	}
	have.Deployment = deployed
	return have, nil
}

// costsEvidence reports a fault of the second request that costs what it would have
// brought, and nothing else.
func (f fault) costsEvidence(c class) bool { return c == enrich && f != kill && f != killAsked }

// move has another source take the place of the vendor, which reports keys of the
// same shape and none of what is over by then.
func (w *world) move() {
	heir := w.cfg.Sources[0]
	heir.ID, heir.Map.Key = "heir", []config.KeyPart{{Name: "payment"}}
	w.cfg.Sources = []config.Source{heir}
}

// found wants what was found out about a failure in every message of its episode. It is
// there from the open on, unless the second request itself went wrong, or the stream
// that carried what it brought, or a late index told of a failure that was over by then:
// one that is known is not asked about.
func (v *verdict) found() {
	if !v.w.enriches {
		return
	}
	rows := slices.SortedStableFunc(slices.Values(v.rows), func(a, b delivery.Delivery) int {
		return cmp.Or(strings.Compare(a.IncidentKey, b.IncidentKey), cmp.Compare(a.Episode, b.Episode), cmp.Compare(a.Sequence, b.Sequence))
	})
	known, opened := map[int]bool{}, 0
	for _, d := range rows {
		if d.Action == delivery.Digest || d.Action == delivery.Refused {
			continue
		}
		if d.Action == incident.Open && d.Destination == keyed {
			opened++
		}
		has := d.Notice.Evidence.Deployment == deployed
		switch {
		case known[d.Episode] && !has:
			v.complain("%s: says no more what was found out about it", name(d))
		case !has && v.w.lag == nil && !v.w.went(enrich, record):
			v.complain("%s: does not say what was found out about it", name(d))
		}
		known[d.Episode] = known[d.Episode] || has
	}
	if len(v.w.wrong) == 0 && v.w.lag == nil && v.w.asked != opened {
		v.complain("the vendor was asked for more %d times in %d episodes", v.w.asked, opened)
	}
}
