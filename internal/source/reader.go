package source

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ringonce/ringonce/internal/redact"
)

// Evidence is cut to these lengths, in characters, so that rows and messages stay
// small.
const (
	maxShort   = 300
	maxSummary = 1000
	maxLink    = 2000
	maxSamples = 5
)

// reader runs the programs of a mapping on one item and collects the faults. A
// program that is not configured gives the zero value.
type reader struct {
	ctx    context.Context
	item   any
	redact *redact.Redactor
	faults []string
}

// take returns the faults gathered since the last call.
func (r *reader) take() []string {
	f := r.faults
	r.faults = nil
	return f
}

// read runs a program and turns its value into a T; on a fault, or without a
// program, it returns T's zero value.
func read[T any](r *reader, p *program, convert func(any) (T, error)) T {
	var zero T
	if p == nil {
		return zero
	}
	v, err := p.one(r.ctx, r.item)
	if err == nil {
		var out T
		if out, err = convert(v); err == nil {
			return out
		}
	}
	r.faults = append(r.faults, fault(p, err))
	return zero
}

// required reads a value that an item must have: its status or a key part.
func (r *reader) required(p *program) string {
	convert := identity
	if p.path == "map.status" {
		convert = scalar
	}
	return read(r, p, func(v any) (string, error) {
		s, err := convert(v)
		if err == nil && strings.TrimSpace(s) == "" {
			err = errors.New("is missing or empty in this item, which is left out; make the program give a value for every item")
		}
		return s, err
	})
}

func (r *reader) text(p *program, limit int) string { return r.shown(read(r, p, scalar), limit) }

func (r *reader) id(p *program) string { return r.shown(read(r, p, identity), maxShort) }

// shown returns a text as people read it: redacted and cut to limit characters.
func (r *reader) shown(s string, limit int) string {
	return bounded(r.redact.Text(headOf(strings.TrimSpace(s))), limit)
}

// maxRead is how much of a text is processed, in bytes. What people read is far
// shorter, and redacting megabytes of adversarial text takes half a minute.
const maxRead = 64 << 10

// headOf cuts a text to maxRead, at a character boundary.
func headOf(s string) string {
	if len(s) <= maxRead {
		return s
	}
	n := maxRead
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func (r *reader) time(p *program) time.Time { return read(r, p, moment) }

func (r *reader) count(p *program) int64 { return read(r, p, count) }

// link returns web addresses only: the reader of a message cannot open anything else.
func (r *reader) link(p *program) string {
	s := strings.TrimSpace(read(r, p, scalar))
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || len(s) > maxLink {
		return ""
	}
	return r.redact.Text(s)
}

func (r *reader) texts(p *program) []string {
	list := read(r, p, texts)
	if len(list) > maxSamples {
		list = list[:maxSamples]
	}
	for i, s := range list {
		list[i] = r.shown(s, maxShort)
	}
	return list
}

// bounded cuts a text to n characters, of which the last is then an ellipsis.
func bounded(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-1]) + "…"
}
