package emf

import (
	"context"
	"log/slog"
	"time"
)

// Handler is a log handler that counts the lines on what the functions did and passes
// all lines on.
type Handler struct {
	slog.Handler
	recorder *Recorder
}

// Log returns a log that also counts its lines in r.
func Log(log *slog.Logger, r *Recorder) *slog.Logger {
	return slog.New(Handler{log.Handler(), r})
}

// Enabled returns true for all lines: those that the log itself drops are counted
// too.
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

// WithAttrs returns a handler that counts too; the attributes themselves are not
// counted.
func (h Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return Handler{h.Handler.WithAttrs(attrs), h.recorder}
}

// WithGroup keeps counting.
func (h Handler) WithGroup(name string) slog.Handler {
	return Handler{h.Handler.WithGroup(name), h.recorder}
}

// line holds a log line's attributes by name.
type line map[string]slog.Value

func read(record slog.Record) line {
	l := make(line, record.NumAttrs())
	record.Attrs(func(a slog.Attr) bool {
		l[a.Key] = a.Value.Resolve()
		return true
	})
	return l
}

// text returns a text attribute; "" if there is none.
func (l line) text(name string) string {
	if v := l[name]; v.Kind() == slog.KindString {
		return v.String()
	}
	return ""
}

// number returns a whole-number attribute; 0 if there is none.
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
