package replay

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// outputs are the files that a command writes. The first error is remembered until
// close; nothing is written after it.
type outputs struct {
	stdout io.Writer
	err    error
	open   []func() error
}

// write calls what with a writer for the path; "-" is standard output.
func (o *outputs) write(path string, what func(io.Writer) error) {
	if o.err != nil {
		return
	}
	if path == "-" {
		o.err = buffered(o.stdout, what)
		return
	}
	file, err := os.Create(path)
	if err != nil {
		o.err = err
		return
	}
	o.err = errors.Join(buffered(file, what), file.Close())
}

func buffered(w io.Writer, what func(io.Writer) error) error {
	buf := bufio.NewWriter(w)
	return errors.Join(what(buf), buf.Flush())
}

// notices returns a function that writes each notice to the path; nil without a path.
func (o *outputs) notices(path string) (func(Notice), error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriter(file)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	o.open = append(o.open, func() error { return errors.Join(buf.Flush(), file.Close()) })
	return func(n Notice) {
		if o.err == nil {
			o.err = enc.Encode(n)
		}
	}, nil
}

// close closes all files and returns the first error.
func (o *outputs) close() error {
	for _, end := range o.open {
		o.err = errors.Join(o.err, end())
	}
	o.open = nil
	if o.err != nil {
		return fmt.Errorf("write the results: %w", o.err)
	}
	return nil
}
