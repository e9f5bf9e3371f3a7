package channels

import (
	"context"
	"net/http"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
)

// resolved reads the values of a destination, each a reference to where the
// value is or, for an address, the value itself. A secret that cannot be read
// now may be readable later.
func resolved(ctx context.Context, s Secrets, values ...string) ([]string, delivery.Outcome, bool) {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v
		if !config.IsReference(v) {
			continue
		}
		var err error
		if out[i], err = s.Resolve(ctx, v); err != nil {
			return nil, delivery.Outcome{Class: delivery.Temporary, Code: "secret_unavailable"}, false
		}
	}
	return out, delivery.Outcome{}, true
}

// doubt has secrets read again before their next use when they will not do:
// the service says that it does not know them, or they are not even fit to be
// sent.
func doubt(s Secrets, o delivery.Outcome, values ...string) delivery.Outcome {
	switch o.Status {
	case 0, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
	default:
		return o
	}
	for _, v := range values {
		if o.Class == delivery.Permanent && config.IsReference(v) {
			s.Invalidate(v)
		}
	}
	return o
}
