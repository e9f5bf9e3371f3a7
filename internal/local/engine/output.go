package engine

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// output stores the end of what the engine printed, for an error message, and signals
// when it prints that it listens.
type output struct {
	listening chan struct{}

	mu   sync.Mutex
	to   io.Writer
	last []byte
	seen bool
}

const keptOutput = 4 << 10

func newOutput(to io.Writer) *output {
	if to == nil {
		to = io.Discard
	}
	return &output{to: to, listening: make(chan struct{})}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = append(o.last, p...)
	if !o.seen && bytes.Contains(o.last, []byte("listening on")) {
		o.seen = true
		close(o.listening)
	}
	o.last = o.last[max(0, len(o.last)-keptOutput):]
	return o.to.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimSpace(string(o.last))
}
