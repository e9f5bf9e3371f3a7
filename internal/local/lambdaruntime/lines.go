package lambdaruntime

import (
	"bytes"
	"sync"
)

// maxLine bounds how much of an incomplete line is buffered, in bytes.
const maxLine = 1 << 20

// lines is a writer that passes on whole lines.
type lines struct {
	function string
	emit     func(Line)

	mu      sync.Mutex
	pid     int
	pending []byte
}

// newLines returns a writer that blocks every write until open sets the process id: a
// process may write before its start is known to have succeeded.
func newLines(function string, emit func(Line)) *lines {
	l := &lines{function: function, emit: emit}
	l.mu.Lock()
	return l
}

// open lets the writes through.
func (l *lines) open(pid int) {
	l.pid = pid
	l.mu.Unlock()
}

// Write passes on every line that p completes.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, p...)
	for {
		line, rest, found := bytes.Cut(l.pending, []byte("\n"))
		if !found {
			break
		}
		l.pass(line)
		l.pending = rest
	}
	if len(l.pending) > maxLine {
		l.pass(l.pending)
		l.pending = nil
	}
	return len(p), nil
}

// flush passes on a last line that has no end.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) > 0 {
		l.pass(l.pending)
		l.pending = nil
	}
}

func (l *lines) pass(line []byte) {
	if l.emit != nil {
		l.emit(Line{Function: l.function, PID: l.pid, Text: string(bytes.TrimSuffix(line, []byte("\r")))})
	}
}
