package stack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// endpointFile holds, in a persistent state directory while a stack runs on it, the
// address of its engine: only one engine at a time opens the tables, and commands
// that only read use that one.
const endpointFile = "endpoint"

// TablesFile is the local engine's file in a persistent state directory.
const TablesFile = "tables.db"

func (s *Stack) announce() error {
	if s.temporary != "" {
		return nil
	}
	path := filepath.Join(s.options.StateDir, endpointFile)
	if err := os.WriteFile(path, []byte(s.engine.Endpoint+"\n"), 0o600); err != nil {
		return fmt.Errorf("write where the engine listens: %w", err)
	}
	return nil
}

func (s *Stack) retract() error {
	err := os.Remove(filepath.Join(s.options.StateDir, endpointFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Endpoint returns the address of the engine of the stack that runs on a state
// directory. It may be that of a stack that was killed.
func Endpoint(stateDir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(stateDir, endpointFile))
	if err != nil {
		return "", fmt.Errorf("find the engine of the running stack: %w", err)
	}
	return strings.TrimSpace(string(data)), nil
}
