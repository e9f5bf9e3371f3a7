package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// maxLine is the longest line read, in bytes.
const maxLine = 1 << 20

// JSONL reads JSON lines. Errors call the trace by name. An unknown field is an
// error, since it is probably misspelt.
func JSONL(name string, r io.Reader) Rows {
	return func(yield func(Row, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 0, 64*1024), maxLine)
		n := 0
		for lines.Scan() {
			n++
			text := bytes.TrimSpace(lines.Bytes())
			if len(text) == 0 {
				continue
			}
			b, err := parseJSON(text)
			if err != nil {
				yield(Row{}, fmt.Errorf("%s:%d: %w", name, n, err))
				return
			}
			if !b.yield(yield) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(Row{}, fmt.Errorf("%s:%d: read the next line: %w", name, n, err))
		}
	}
}

func parseJSON(text []byte) (block, error) {
	var l line
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return block{}, fmt.Errorf("not a JSON object of a trace: %w", err)
	}
	if dec.InputOffset() != int64(len(text)) {
		return block{}, fmt.Errorf("more than one JSON object in the line: put each on a line of its own")
	}
	return l.block()
}

// yield yields the block's rows; it returns false if the reader stops.
func (b block) yield(yield func(Row, error) bool) bool {
	for i := range b.repeat {
		if !yield(b.at(i), nil) {
			return false
		}
	}
	return true
}
