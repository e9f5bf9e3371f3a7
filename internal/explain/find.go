package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// How an incident was found.
const (
	ByKey      = "key"
	ByPrefix   = "prefix"
	ByDelivery = "delivery_id"
	ByVendorID = "vendor_id"
)

// Found is an incident that a person asked for, and how it was recognised.
type Found struct {
	Key string `json:"incident_key"`
	By  string `json:"by"`
	// DeliveryID is set when the incident was found by one of its messages, and
	// Episode is then that message's.
	DeliveryID string `json:"delivery_id,omitempty"`
	Episode    int    `json:"episode,omitempty"`
}

// ErrNotFound reports that nothing stored answers to what was asked for.
var ErrNotFound = errors.New("no incident has this key, prefix, delivery id or vendor id")

var deliveryID = regexp.MustCompile(`\bd1-[0-9a-f]{20}\b`)

// Find recognises what a person has at hand: a key, the beginning of one, a
// delivery id or a whole message that ends in one, or the vendor's own id. A
// prefix or a vendor id may fit several incidents; they come sorted by key.
//
// A key is one read. Everything else has no index and reads a whole table.
func Find(ctx context.Context, s Store, asked string) ([]Found, error) {
	asked = strings.TrimSpace(asked)
	// The id stands at the end of a message; what a vendor quotes stands before.
	if ids := deliveryID.FindAllString(asked, -1); len(ids) > 0 {
		return byDelivery(ctx, s, ids[len(ids)-1])
	}
	if known, err := exists(ctx, s, asked); err != nil || known {
		return []Found{{Key: asked, By: ByKey}}, err
	}
	found, err := byState(ctx, s, asked)
	if err == nil && len(found) == 0 {
		found, err = byOlderMessages(ctx, s, asked)
	}
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	return found, err
}

func byDelivery(ctx context.Context, s Store, id string) ([]Found, error) {
	var found []Found
	err := s.Deliveries(ctx, func(d delivery.Delivery) error {
		if d.ID != id {
			return nil
		}
		found = []Found{{Key: d.IncidentKey, By: ByDelivery, DeliveryID: id, Episode: d.Episode}}
		return errEnough
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, fmt.Errorf("look for delivery %s: %w", id, err)
	}
	if len(found) == 0 {
		return nil, ErrNotFound
	}
	return found, nil
}

var errEnough = errors.New("enough")

// exists reports whether anything is stored of a key. One whose observations
// were all unknown has no row of its own.
func exists(ctx context.Context, s Store, key string) (bool, error) {
	if key == "" {
		return false, nil
	}
	states, err := s.States(ctx, []string{key})
	if err != nil || len(states) > 0 {
		return len(states) > 0, err
	}
	err = s.Observations(ctx, key, time.Time{}, time.Time{}, func(observation.Observation) error { return errEnough })
	if errors.Is(err, errEnough) {
		return true, nil
	}
	return false, err
}

func byState(ctx context.Context, s Store, asked string) ([]Found, error) {
	var found []Found
	err := s.Incidents(ctx, func(st incident.State) error {
		switch {
		case st.Evidence.VendorID == asked:
			found = append(found, Found{Key: st.Key, By: ByVendorID})
		case strings.HasPrefix(st.Key, asked):
			found = append(found, Found{Key: st.Key, By: ByPrefix})
		}
		return nil
	})
	slices.SortFunc(found, byKey)
	return found, err
}

// byOlderMessages finds a vendor id that only an earlier episode had.
func byOlderMessages(ctx context.Context, s Store, asked string) ([]Found, error) {
	keys := make(map[string]Found)
	err := s.Deliveries(ctx, func(d delivery.Delivery) error {
		if d.Notice.Evidence.VendorID == asked {
			keys[d.IncidentKey] = Found{Key: d.IncidentKey, By: ByVendorID}
		}
		return nil
	})
	return slices.SortedFunc(maps.Values(keys), byKey), err
}

func byKey(a, b Found) int { return cmp.Compare(a.Key, b.Key) }
