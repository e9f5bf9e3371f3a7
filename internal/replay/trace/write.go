package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/ringonce/ringonce/internal/observation"
)

// Writer writes rows as the JSON lines that JSONL reads. Consecutive rows with the
// same content at evenly spaced ticks become one line. Evidence other than the stage
// and the vendor's id is omitted, since no replay needs it.
type Writer struct {
	enc *json.Encoder
	// held is the line not yet written; it represents n rows, spaced by every, the
	// last of them at newest.
	held   line
	n      int
	every  time.Duration
	newest time.Time
}

// NewWriter returns a Writer to w; Close writes the last line.
func NewWriter(w io.Writer) *Writer {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &Writer{enc: enc}
}

// Write writes one row.
func (w *Writer) Write(r Row) error {
	next := lineFor(r)
	if step := r.Tick.Sub(w.newest); w.n > 0 && w.n < maxRepeat && w.continuedBy(next, step) {
		w.n++
		w.every, w.newest = step, r.Tick
		return nil
	}
	if err := w.Close(); err != nil {
		return err
	}
	w.held, w.n, w.every, w.newest = next, 1, 0, r.Tick
	return nil
}

func (w *Writer) continuedBy(next line, step time.Duration) bool {
	if step <= 0 || (w.n > 1 && step != w.every) {
		return false
	}
	next.Tick = w.held.Tick
	return reflect.DeepEqual(next, w.held)
}

// Close writes the held line. The writer may be used again afterwards.
func (w *Writer) Close() error {
	if w.n == 0 {
		return nil
	}
	if w.n > 1 {
		w.held.Repeat, w.held.Every = w.n, w.every.String()
	}
	w.n = 0
	if err := w.enc.Encode(w.held); err != nil {
		return fmt.Errorf("write the trace: %w", err)
	}
	return nil
}

func lineFor(r Row) line {
	l := line{
		Tick: observation.FormatTick(r.Tick), Key: r.IncidentKey, Verdict: string(r.Verdict), Truth: string(r.Truth),
		Owner: r.Owner, Source: r.Source, Missing: r.Missing, Unseen: r.Unseen, Status: r.Status, Kind: r.Kind,
		Stage: r.Evidence.Stage, Group: r.Evidence.VendorID, Summary: r.Summary,
	}
	if r.Said != "" {
		l.Said, l.By, l.Verdict = string(r.Said), r.By, ""
	}
	for _, p := range r.Parts {
		l.Parts = append(l.Parts, part(p))
	}
	return l
}
