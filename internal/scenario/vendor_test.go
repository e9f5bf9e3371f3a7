package scenario_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
)

// vendor answers polls with the listing that the time line asks for.
type vendor struct {
	mu       sync.Mutex
	listings map[string]observation.Listing
	fetched  map[string]int
}

func newVendor() *vendor {
	return &vendor{listings: map[string]observation.Listing{}, fetched: map[string]int{}}
}

func (v *vendor) Fetch(_ context.Context, src config.Source) observation.Listing {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.fetched[src.ID]++
	return v.listings[src.ID]
}

func (v *vendor) set(source string, l observation.Listing) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.listings[source] = l
}

func (v *vendor) polls(source string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.fetched[source]
}

func item(id string, verdict observation.Verdict) observation.Item {
	return observation.Item{
		Kind: "error", Verdict: verdict, Status: string(verdict), Summary: "Payment " + id + " fails",
		Parts:    []observation.Part{{Name: "payment", Value: id}},
		Evidence: observation.Evidence{Count: 3, Link: "https://vendor.example.com/" + id, VendorID: id},
	}
}

func whole(items ...observation.Item) observation.Listing {
	return observation.Listing{Items: items, Complete: true, Requests: 1}
}

func broken(why string, items ...observation.Item) observation.Listing {
	return observation.Listing{Items: items, Requests: 1, Problems: []observation.Problem{{Where: "page 1", What: why}}}
}

// listingFor returns what one letter of a time line stands for, for one key: F
// failing, H healthy, A absent from a complete listing, U unknown, E the vendor is
// out, P the key is on the page that failed.
func listingFor(t *testing.T, letter byte) observation.Listing {
	t.Helper()
	switch letter {
	case 'F':
		return whole(item("card", observation.Failing))
	case 'H':
		return whole(item("card", observation.Healthy))
	case 'A':
		return whole()
	case 'U':
		return whole(item("card", observation.Unknown))
	case 'E':
		return broken("HTTP 500 from vendor.example.com")
	case 'P':
		return broken("page 2: HTTP 500", item("other", observation.Healthy))
	default:
		t.Fatalf("no such letter: %c", letter)
		return observation.Listing{}
	}
}

// play runs a time line of one-minute ticks, from noon, for one key. A lower-case
// letter fires the tick before it once more. It returns who was told what at each
// tick, "-" for nobody.
func (r *rig) play(v *vendor, line string) []string {
	r.t.Helper()
	var out []string
	n := -1
	for i := range len(line) {
		letter := line[i]
		if letter == ' ' {
			continue
		}
		if letter >= 'a' {
			r.now = r.now.Add(20 * time.Second)
			letter -= 'a' - 'A'
		} else {
			n++
		}
		v.set("vendor", listingFor(r.t, letter))
		r.tick(n)
		out = append(out, r.toldEqually())
	}
	return out
}
