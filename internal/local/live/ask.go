package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/ringonce/ringonce/internal/local/engine"
	"github.com/ringonce/ringonce/internal/local/stack"
)

// Ask gives a command that only reads access to the state of Run in a directory:
// through the engine of the run that uses it now, or through an engine of its own,
// which keeps a run from starting until it is closed.
func Ask(ctx context.Context, dir, binary string) (cfg aws.Config, close func() error, err error) {
	if _, err := os.Stat(filepath.Join(dir, stack.TablesFile)); errors.Is(err, fs.ErrNotExist) {
		return cfg, nil, fmt.Errorf("there is no state in %s: name the directory that `ringonce run --state` keeps, or a deployed stack with --stack", dir)
	} else if err != nil {
		return cfg, nil, fmt.Errorf("look for state: %w", err)
	}
	unlock, err := lock(dir)
	if err != nil {
		return running(dir)
	}
	e, err := engine.Start(ctx, engine.Options{Binary: binary, DBPath: filepath.Join(dir, stack.TablesFile)})
	if err != nil {
		unlock()
		return cfg, nil, err
	}
	return e.Config(), func() error {
		defer unlock()
		return e.Stop()
	}, nil
}

func running(dir string) (aws.Config, func() error, error) {
	endpoint, err := stack.Endpoint(dir)
	if err != nil {
		return aws.Config{}, nil, fmt.Errorf("the state in %s is in use by a process that cannot be asked: %w", dir, err)
	}
	e := engine.Engine{Endpoint: endpoint}
	return e.Config(), func() error { return nil }, nil
}
