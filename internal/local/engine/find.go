package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrNotInstalled reports that the engine's binary cannot be found.
var ErrNotInstalled = errors.New("the local DynamoDB engine is not installed")

// installed is where npm installs the binary, on every platform.
const installed = ".tools/node_modules/@dynoxide/*/dynoxide"

// Find returns the engine's binary: the given path if it is not empty, else the
// one installed under .tools in the given directory or the nearest above it.
func Find(path, dir string) (string, error) {
	if path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("the DynamoDB engine given as %s: %w", path, err)
		}
		return path, nil
	}
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the local DynamoDB engine: %w", err)
	}
	for dir := from; ; {
		found, err := filepath.Glob(filepath.Join(dir, installed))
		if err == nil && len(found) > 0 {
			return found[0], nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("%w: there is no %s in %s or above it: run `make tools-engine` in a checkout of Ringonce, or name its binary with --engine", ErrNotInstalled, installed, from)
		}
		dir = parent
	}
}
