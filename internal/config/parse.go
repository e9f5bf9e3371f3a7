package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Draft is the readable part of a file, valid or not.
type Draft struct {
	// Config is complete only when no problem is a Mistake.
	Config    *Config
	Positions *Positions
	Problems  Problems
}

// Parse parses a configuration. name is the file's name in messages; presets holds
// one file NAME.yaml for each preset. The error is of type Problems: every mistake,
// by line. Warnings alone are no error; see Positions.Warnings.
func Parse(name string, data []byte, presets fs.FS) (*Config, *Positions, error) {
	d := Read(name, data, presets)
	if len(d.Problems.Of(Mistake)) > 0 {
		return nil, d.Positions, d.Problems
	}
	return d.Config, d.Positions, nil
}

// Load is Parse on a file.
func Load(path string, presets fs.FS) (*Config, *Positions, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	return Parse(path, data, presets)
}

// LoadForSending is Load for the functions that only send messages and receive their
// receipts: Sources, Silences and Hash stay empty, and mistakes in sources and
// silences are no error. It takes a quarter of Load's time with two sources and their
// presets.
func LoadForSending(path string) (*Config, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	b := newBuilder(&reader{}, path, nil)
	b.sending = true
	d := b.read(path, data)
	if mistakes := d.Problems.Of(Mistake); len(mistakes) > 0 {
		return nil, mistakes
	}
	return d.Config, nil
}

// ReadFile returns a configuration file's bytes, up to the size that Parse accepts,
// whatever the path points at.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("configuration %s does not exist: give the path of your ringonce.yaml, or start from infra/ringonce.yaml", path)
	}
	if err != nil {
		return nil, fmt.Errorf("open the configuration: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	return data, nil
}
