// Package secrets prepares the resolver of secrets. It is separate from package setup
// so that functions without secrets do not link the SDK's client for them.
package secrets

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"github.com/ringonce/ringonce/internal/secret"
	"github.com/ringonce/ringonce/internal/setup"
)

// New returns the resolver of the secret references in a function's configuration.
func New(cfg aws.Config, log *slog.Logger) *secret.Resolver {
	return Beside(setup.ConfigPath(os.Getenv), cfg, log)
}

// Beside returns the resolver of the secret references in a file.
func Beside(file string, cfg aws.Config, log *slog.Logger) *secret.Resolver {
	return secret.New(secret.Options{Parameters: ssm.NewFromConfig(cfg), Now: setup.Now, Log: log, Dir: filepath.Dir(file)})
}

// ahead bounds how long a cold start waits for secrets. Lambda allows ten seconds,
// and then starts again with the event ("Init phase", Lambda Developer Guide); sweep
// reads ahead twice.
const ahead = 4 * time.Second

// Load reads secrets before the first event needs them, in as few calls as possible.
// One that cannot be read, or not in time, is read again, and reported, by its user.
func Load(r *secret.Resolver, refs []string, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), ahead)
	defer cancel()
	if err := r.Load(ctx, refs); err != nil {
		log.Warn("secrets could not be read ahead", "error", err)
	}
}
