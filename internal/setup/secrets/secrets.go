// Package secrets prepares the reader of secrets. It is apart from package setup
// for the weight of the SDK's client, which functions without secrets are spared.
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

// New makes the resolver of the secret references in a function's configuration.
func New(cfg aws.Config, log *slog.Logger) *secret.Resolver {
	return Beside(setup.ConfigPath(os.Getenv), cfg, log)
}

// Beside makes the resolver of the secret references in a file.
func Beside(file string, cfg aws.Config, log *slog.Logger) *secret.Resolver {
	return secret.New(secret.Options{Parameters: ssm.NewFromConfig(cfg), Now: setup.Now, Log: log, Dir: filepath.Dir(file)})
}

// ahead bounds how long a start waits for secrets. Lambda gives a start ten seconds,
// and begins another one with the event ("Init phase", Lambda Developer Guide); sweep
// reads ahead twice.
const ahead = 4 * time.Second

// Load reads secrets before the first event asks for them, all in as few calls as
// can be. One that cannot be read, or not in time, is read again, and reported, by
// who needs it.
func Load(r *secret.Resolver, refs []string, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), ahead)
	defer cancel()
	if err := r.Load(ctx, refs); err != nil {
		log.Warn("secrets could not be read ahead", "error", err)
	}
}
