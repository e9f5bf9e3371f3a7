package scenario_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// brokenFor is a store that fails for one incident only.
type brokenFor struct {
	store
	key                      string
	noClaim, noRead, noState bool
}

var errBroken = errors.New("the row is too large")

func (b brokenFor) Claim(ctx context.Context, ref delivery.Ref, worker string, now, until time.Time) (delivery.Delivery, error) {
	if b.noClaim && ref.IncidentKey == b.key {
		return delivery.Delivery{}, errBroken
	}
	return b.store.Claim(ctx, ref, worker, now, until)
}

func (b brokenFor) Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error) {
	if b.noRead && key == b.key {
		return nil, errBroken
	}
	return b.store.Episode(ctx, key, episode)
}

func (b brokenFor) States(ctx context.Context, keys []string) (map[string]incident.State, error) {
	states, err := b.store.States(ctx, keys)
	if b.noState {
		delete(states, b.key)
		return states, incident.Unreadable{b.key: errBroken}
	}
	return states, err
}

// TestABrokenItemEndsNoSweep: a sweep reports an item that it cannot handle at its
// end, and delivers all others, one by one or in a digest.
func TestABrokenItemEndsNoSweep(t *testing.T) {
	bad := observedKey(0, noon, observation.Failing)
	for name, tc := range map[string]struct {
		broken brokenFor
		digest int
	}{
		"claim":          {brokenFor{noClaim: true}, 0},
		"read":           {brokenFor{noRead: true}, 0},
		"read in digest": {brokenFor{noRead: true}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			tc.broken.store, tc.broken.key = memory.New(), bad.IncidentKey
			r := newRig(t, memory.New(), newVendor())
			r.configure(slackDest, func(d *config.Destination) { d.DigestOver = tc.digest })
			r.audience(slackDest)
			obs := []observation.Observation{bad}
			for n := 1; n < 30; n++ {
				obs = append(obs, observedKey(n, noon, observation.Failing))
			}
			r.decideOnly(obs...)
			tc.broken.store = r.tap.store
			x := r.deliverer()
			x.Ledger = tc.broken
			_, err := x.Sweep(t.Context())
			if !errors.Is(err, errBroken) {
				t.Errorf("the sweep's error is %v", err)
			}
			told := strings.Join(r.posts(), "\n")
			all := 29
			if tc.digest > 0 {
				all = 1
			}
			if len(r.posts()) != all || (tc.digest > 0 && !strings.Contains(told, "29 OPENED")) {
				t.Errorf("%d messages: %s", len(r.posts()), told)
			}
		})
	}
}

func TestAnUnreadableIncidentFailsAlone(t *testing.T) {
	bad := observedKey(0, noon, observation.Failing)
	r := newRig(t, memory.New(), newVendor())
	d := r.decider()
	d.Store = brokenFor{store: r.tap, key: bad.IncidentKey, noState: true}
	failed := d.Decide(t.Context(), []observation.Observation{bad, observedKey(1, noon, observation.Failing)})
	if len(failed) != 1 || !errors.Is(failed[bad.IncidentKey], errBroken) || len(r.ledger()) != 2 {
		t.Errorf("failed %v, %d items", failed, len(r.ledger()))
	}
}

// reading is a store that counts how often an episode is read.
type reading struct {
	store
	episodes *atomic.Int64
}

func (r reading) Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error) {
	r.episodes.Add(1)
	return r.store.Episode(ctx, key, episode)
}

// TestAMessageReadsItsLaneOnce: a message does not also read the lane for those that
// wait behind it.
func TestAMessageReadsItsLaneOnce(t *testing.T) {
	count := reading{memory.New(), &atomic.Int64{}}
	r := newRig(t, count, newVendor())
	r.audience(slackDest)
	if failed := r.deliverer().Deliver(t.Context(), r.decideOnly(observed(noon, observation.Failing))); len(failed) > 0 {
		t.Fatal(failed)
	}
	if n := count.episodes.Load(); n != 1 || len(r.posts()) != 1 {
		t.Errorf("%d reads for %d messages", n, len(r.posts()))
	}
}
