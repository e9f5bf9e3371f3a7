package main

import (
	"context"
	"net/http"

	"github.com/ringonce/ringonce/internal/deadman"
	"github.com/ringonce/ringonce/internal/secret"
)

// pinger returns a function that pings the dead-man's switch whose ping URL the
// reference names; nil without a reference.
func pinger(reference string, secrets *secret.Resolver) func(context.Context, []string) error {
	if reference == "" {
		return nil
	}
	return func(ctx context.Context, problems []string) error {
		url, err := secrets.Resolve(ctx, reference)
		if err != nil {
			return err
		}
		err = deadman.Ping(ctx, http.DefaultTransport, url, problems)
		if err != nil {
			// The URL may have been replaced.
			secrets.Invalidate(reference)
		}
		return err
	}
}
