// Command tracegen writes the traces in testdata/traces: short histories with known
// truth, on which the shipped policies are evaluated. It uses a random generator with
// fixed seeds, so that running it again changes nothing.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ringonce/ringonce/internal/replay/trace"
)

//go:generate go run . ../../../testdata/traces

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "Usage: tracegen DIRECTORY")
		os.Exit(2)
	}
	for _, s := range stories {
		if err := writeFile(filepath.Join(os.Args[1], s.file), s); err != nil {
			fmt.Fprintln(os.Stderr, "tracegen:", err)
			os.Exit(1)
		}
	}
}

func writeFile(path string, s story) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(s.write(f), f.Close())
}

// story is one trace: its file and its content.
type story struct {
	file string
	tell func() []trace.Row
}
