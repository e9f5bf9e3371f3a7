package emf

import (
	"context"
	"log/slog"
	"time"
)

// Handler stands before a log's handler and counts the lines that tell what
// the functions did.
type Handler struct {
	slog.Handler
	recorder *Recorder
}

// Log returns a log that also counts what it is told.
func Log(log *slog.Logger, r *Recorder) *slog.Logger {
	return slog.New(Handler{log.Handler(), r})
}

// Enabled is true for lines that the log itself leaves out too: they count.
func (h Handler) Enabled(context.Context, slog.Level) bool { return true }

// Handle counts the line and passes it on.
func (h Handler) Handle(ctx context.Context, record slog.Record) error {
	if counts, ok := counters[record.Message]; ok {
		counts(h.recorder, read(record), record.Time)
	}
	if !h.Handler.Enabled(ctx, record.Level) {
		return nil
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs keeps counting; the attributes themselves do not count.
func (h Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return Handler{h.Handler.WithAttrs(attrs), h.recorder}
}

// WithGroup keeps counting.
func (h Handler) WithGroup(name string) slog.Handler {
	return Handler{h.Handler.WithGroup(name), h.recorder}
}

// line is a line's attributes by their names.
type line map[string]slog.Value

func read(record slog.Record) line {
	l := make(line, record.NumAttrs())
	record.Attrs(func(a slog.Attr) bool {
		l[a.Key] = a.Value.Resolve()
		return true
	})
	return l
}

// text returns an attribute that is a text; "" when it is none.
func (l line) text(name string) string {
	if v := l[name]; v.Kind() == slog.KindString {
		return v.String()
	}
	return ""
}

// number returns an attribute that is a whole number; 0 when it is none.
func (l line) number(name string) float64 {
	if v := l[name]; v.Kind() == slog.KindInt64 {
		return float64(v.Int64())
	}
	return 0
}

// since returns the milliseconds from the line's tick to a time.
func (l line) since(at time.Time) (float64, bool) {
	tick, err := time.Parse(time.RFC3339, l.text("tick"))
	if err != nil || at.Before(tick) {
		return 0, false
	}
	return float64(at.Sub(tick).Milliseconds()), true
}
