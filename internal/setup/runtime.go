package setup

import (
	"context"
	"crypto/rand"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"github.com/ringonce/ringonce/internal/secret"
)

// Token makes a random name for a worker's claims. It names nothing that is
// stored for longer than a lease.
func Token() string { return rand.Text() }

// Now is the wall clock, in UTC.
func Now() time.Time { return time.Now().UTC() }

// Sleep waits, or returns early with the context's error.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// LoadSecrets reads secrets before the first event asks for them, all in as few
// calls as can be. One that cannot be read is reported again by who needs it.
func LoadSecrets(r *secret.Resolver, refs []string, log *slog.Logger) {
	if err := r.Load(context.Background(), refs); err != nil {
		log.Warn("secrets could not be read ahead", "error", err)
	}
}

// Secrets makes the resolver of secret references.
func Secrets(cfg aws.Config, log *slog.Logger) *secret.Resolver {
	return secret.New(secret.Options{Parameters: ssm.NewFromConfig(cfg), Now: Now, Log: log})
}
