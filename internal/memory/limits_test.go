package memory_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
)

// What AWS refuses and the local engine does not, beside the contract.

func TestAKeyThatNoIndexSortsBy(t *testing.T) {
	s := memory.New()
	if err := s.Save(t.Context(), incident.State{Key: strings.Repeat("k", 1025)}); err == nil {
		t.Error("a key of 1,025 bytes is taken")
	}
	if err := s.Save(t.Context(), incident.State{Key: strings.Repeat("k", 1024)}); err != nil {
		t.Error(err)
	}
}

// items are written one by one, each with a payload of so many bytes.
func items(t *testing.T, s *memory.Store, n, size int) []delivery.Delivery {
	t.Helper()
	var all []delivery.Delivery
	for i := range n {
		key := fmt.Sprint("k", i)
		d := delivery.Delivery{
			ID: "d-" + key, IncidentKey: key, Episode: 1, Sequence: 1, Action: incident.Open, Destination: "slack",
			State: delivery.Pending, DueAt: tick, Payload: make([]byte, size),
		}
		err := s.Commit(t.Context(), incident.State{Key: key, Open: true}, incident.Decision{IncidentKey: key, Seq: 1}, []delivery.Delivery{d})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

func TestRowsThatAreChangedCountWhole(t *testing.T) {
	s := memory.New()
	all := items(t, s, 17, 255_000)
	if err := s.Gather(t.Context(), delivery.NewDigest(all, tick), all); err == nil || !strings.Contains(err.Error(), "bytes in one transaction") {
		t.Errorf("error is %v, want one about more than 4 MB", err)
	}
	if err := s.Gather(t.Context(), delivery.NewDigest(all[:16], tick), all[:16]); err != nil {
		t.Error(err)
	}
}

// seen is what each index shows.
func seen(t *testing.T, s *memory.Store) [3]int {
	t.Helper()
	active, err := s.ActiveKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	due, err := s.Due(t.Context(), tick.Add(time.Hour), 100)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Locate(t.Context(), "d-k0")
	return [3]int{len(active), len(due), map[bool]int{true: 1}[err == nil]}
}

func TestIndexesLagAndCatchUp(t *testing.T) {
	late := true
	s := memory.New(memory.LagIndexes(func() bool { return late }))
	all := items(t, s, 3, 10)
	if got := seen(t, s); got != [3]int{} {
		t.Errorf("the indexes show %v of what has not come to them", got)
	}
	late = false
	if got := seen(t, s); got != [3]int{3, 3, 1} {
		t.Errorf("the indexes show %v", got)
	}
	late = true
	if _, err := s.Claim(t.Context(), all[0].Ref(), "w", tick, tick.Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(t.Context(), incident.State{Key: "k0", Version: 1}); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, s); got != [3]int{3, 3, 1} {
		t.Errorf("the indexes show %v, which has not come to them", got)
	}
	late = false
	if got := seen(t, s); got != [3]int{2, 2, 1} {
		t.Errorf("the indexes show %v", got)
	}
}

// TestChangesOfARowKeepTheirOrder: however chance has it, an index never shows a row
// as it was after it has shown it as it is.
func TestChangesOfARowKeepTheirOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	s := memory.New(memory.LagIndexes(func() bool { return rnd.IntN(3) > 0 }))
	d := items(t, s, 1, 10)[0]
	var shown []time.Time
	for n := range 200 {
		if err := s.Postpone(t.Context(), d.Ref(), tick.Add(time.Duration(n)*time.Second)); err != nil {
			t.Fatal(err)
		}
		due, err := s.Due(t.Context(), tick.Add(time.Hour), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range due {
			shown = append(shown, d.DueAt)
		}
	}
	if len(shown) < 100 || !slices.IsSortedFunc(shown, time.Time.Compare) {
		t.Errorf("%d times, not in their order: %v", len(shown), shown)
	}
}
