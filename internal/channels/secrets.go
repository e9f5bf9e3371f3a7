package channels

import (
	"context"
	"log/slog"
	"slices"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/slack"
)

// with sends with a destination's current values, each a reference or, for an
// address, the value itself.
//
// The values may be cached from before a rotation. So after a refusal they are read
// again: if they have changed, or cannot be read, the message waits for its next try.
func with(ctx context.Context, s Secrets, log *slog.Logger, to config.Destination,
	send func(values []string) delivery.Outcome, values ...string,
) delivery.Outcome {
	used, err := resolved(ctx, s, values)
	if err != nil {
		return unreadable(ctx, log, to, err, 0)
	}
	o := send(used)
	if !suspect(o) {
		return o
	}
	for _, v := range values {
		if config.IsReference(v) {
			s.Invalidate(v)
		}
	}
	switch fresh, err := resolved(ctx, s, values); {
	case err != nil:
		return unreadable(ctx, log, to, err, o.Status)
	case !slices.Equal(fresh, used):
		return delivery.Outcome{Class: delivery.Temporary, Status: o.Status, Code: "secret_changed"}
	default:
		return o
	}
}

// suspect reports an outcome that a changed secret might explain.
func suspect(o delivery.Outcome) bool {
	return o.Class == delivery.Permanent || o.Misconfigured || slack.TokenRefused(o.Code)
}

func resolved(ctx context.Context, s Secrets, values []string) ([]string, error) {
	out := slices.Clone(values)
	for i, v := range values {
		if !config.IsReference(v) {
			continue
		}
		var err error
		if out[i], err = s.Resolve(ctx, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unreadable returns the outcome if a secret cannot be read now.
func unreadable(ctx context.Context, log *slog.Logger, to config.Destination, err error, status int) delivery.Outcome {
	if log == nil {
		log = slog.Default()
	}
	// The resolver's errors name the reference and never the value.
	log.ErrorContext(ctx, "a secret of a destination cannot be read; its messages wait", "destination", to.ID, "error", err)
	return delivery.Outcome{Class: delivery.Temporary, Status: status, Code: delivery.SecretUnavailable}
}
