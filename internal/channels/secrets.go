package channels

import (
	"context"
	"net/http"
	"slices"

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

// doubt has secrets read again at once when they will not do: the service says
// that it does not know them, or they are not even fit to be sent. A refusal of
// what was only remembered from before a rotation is no verdict on what is there
// now.
func doubt(ctx context.Context, s Secrets, o delivery.Outcome, used []string, values ...string) delivery.Outcome {
	switch o.Status {
	case 0, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
	default:
		return o
	}
	if o.Class != delivery.Permanent {
		return o
	}
	for _, v := range values {
		if config.IsReference(v) {
			s.Invalidate(v)
		}
	}
	fresh, unreadable, ok := resolved(ctx, s, values...)
	if !ok {
		return unreadable
	}
	if !slices.Equal(fresh, used) {
		return delivery.Outcome{Class: delivery.Temporary, Status: o.Status, Code: "secret_changed"}
	}
	return o
}
