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

// Found is an incident that was asked for, and by what it was found.
type Found struct {
	Key string `json:"incident_key"`
	By  string `json:"by"`
	// DeliveryID and Episode are those of the message by which the incident was found,
	// if it was found by one.
	DeliveryID string `json:"delivery_id,omitempty"`
	Episode    int    `json:"episode,omitempty"`
}

// ErrNotFound is returned if nothing that is stored matches what was asked for.
var ErrNotFound = errors.New("no incident has this key, prefix, delivery id or vendor id")

var deliveryID = regexp.MustCompile(`\bd1-[0-9a-f]{20}\b`)

// Find finds incidents by a key, the beginning of a key, a delivery id, a message that
// contains one, or the vendor's id. A prefix, a vendor id or a digest may match several
// incidents, which are returned in order of their keys.
//
// A key or a delivery id costs one or two reads, a digest one for each of its items. A
// prefix or a vendor id has no index and reads a whole table.
func Find(ctx context.Context, s Store, asked string) ([]Found, error) {
	asked = strings.TrimSpace(asked)
	// The id is at the end of a message, after anything that a vendor quotes.
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
	ref, err := s.Locate(ctx, id)
	switch {
	case errors.Is(err, delivery.ErrNotFound):
		return nil, fmt.Errorf("%w; there is no delivery %s, or it has expired", ErrNotFound, id)
	case err != nil:
		return nil, fmt.Errorf("look for delivery %s: %w", id, err)
	case delivery.IsDigest(ref):
		return inDigest(ctx, s, ref, id)
	case delivery.IsRefusal(ref):
		return nil, fmt.Errorf("delivery %s is of no incident: it is about %s itself; `ringonce status` says how that stands",
			id, strings.Replace(ref.IncidentKey, "/", " ", 1))
	}
	return []Found{{Key: ref.IncidentKey, By: ByDelivery, DeliveryID: id, Episode: ref.Episode()}}, nil
}

// inDigest returns the incidents that a digest told.
func inDigest(ctx context.Context, s Store, ref delivery.Ref, id string) ([]Found, error) {
	digest, err := s.Delivery(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("read digest %s: %w", id, err)
	}
	keys := make(map[string]Found)
	for _, e := range digest.Notice.Entries {
		member, err := s.Locate(ctx, e.DeliveryID)
		if errors.Is(err, delivery.ErrNotFound) {
			continue // it has expired
		}
		if err != nil {
			return nil, fmt.Errorf("look for delivery %s of digest %s: %w", e.DeliveryID, id, err)
		}
		keys[member.IncidentKey] = Found{Key: member.IncidentKey, By: ByDelivery, DeliveryID: id, Episode: member.Episode()}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%w; what digest %s told has expired", ErrNotFound, id)
	}
	return slices.SortedFunc(maps.Values(keys), byKey), nil
}

var errStop = errors.New("enough")

// exists reports whether a key has a row or an observation: if all observations of a
// key are unknown, it has no row.
func exists(ctx context.Context, s Store, key string) (bool, error) {
	if key == "" {
		return false, nil
	}
	states, err := s.States(ctx, []string{key})
	if err != nil || len(states) > 0 {
		return len(states) > 0, err
	}
	err = s.Observations(ctx, key, time.Time{}, time.Time{}, func(observation.Observation) error { return errStop })
	if errors.Is(err, errStop) {
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

// byOlderMessages finds a vendor id that only an earlier episode had, by its messages.
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
