package trace

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
)

// Files are traces on disk, read one after the other.
type Files struct {
	Paths []string
	// Read counts the bytes read from disk so far; another goroutine may display it.
	Read atomic.Int64
}

// Size returns the number of bytes in all files together.
func (f *Files) Size() (int64, error) {
	var total int64
	for _, path := range f.Paths {
		info, err := os.Stat(path)
		if err != nil {
			return 0, fmt.Errorf("look at the trace: %w", err)
		}
		total += info.Size()
	}
	return total, nil
}

// Rows reads the files in order, each by its extension: .csv, .jsonl or .ndjson,
// followed by .gz if it is compressed.
func (f *Files) Rows() Rows {
	return func(yield func(Row, error) bool) {
		for _, path := range f.Paths {
			for row, err := range f.file(path) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

func (f *Files) file(path string) Rows {
	return func(yield func(Row, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(Row{}, fmt.Errorf("open the trace: %w", err))
			return
		}
		defer file.Close()
		rows, err := byName(path, bufio.NewReaderSize(&counter{file, &f.Read}, 64*1024))
		if err != nil {
			yield(Row{}, err)
			return
		}
		rows(yield)
	}
}

func byName(path string, r io.Reader) (Rows, error) {
	name, compressed := strings.CutSuffix(path, ".gz")
	if compressed {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("%s: not gzip, though its name says so: %w", path, err)
		}
		r = z
	}
	switch {
	case strings.HasSuffix(name, ".csv"):
		return CSV(path, r), nil
	case strings.HasSuffix(name, ".jsonl"), strings.HasSuffix(name, ".ndjson"):
		return JSONL(path, r), nil
	default:
		return nil, fmt.Errorf("%s: what kind of trace is it? Its name must end in .csv or .jsonl, and .gz if compressed", path)
	}
}

type counter struct {
	io.Reader
	n *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}
