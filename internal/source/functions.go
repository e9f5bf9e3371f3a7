package source

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/itchyny/gojq"
)

// options are the options that every program is compiled with.
var options = slices.Concat([]gojq.CompilerOption{gojq.WithVariables([]string{knownName})}, functions, guards)

// functions are the functions that mappings can call besides jq's own.
//   - to_number: a number from a number or from text ("25", "1.5e3"); null for
//     null, NaN and infinities.
//   - to_time: a time in UTC as RFC 3339 text, from RFC 3339 with any offset
//     and up to nine digits of a second, or from seconds or milliseconds since
//     1970; null for null, an empty text, zero, and the zero time of year 1.
//   - sha1: the SHA-1 of a text in hex, for vendors that derive ids with it.
//
// jq's own fromjson reads JSON inside a text.
var functions = []gojq.CompilerOption{
	gojq.WithFunction("to_number", 0, 0, func(v any, _ []any) any {
		f, ok, err := number(v)
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
		return f
	}),
	gojq.WithFunction("to_time", 0, 0, func(v any, _ []any) any {
		t, err := moment(v)
		if err != nil {
			return err
		}
		if t.IsZero() {
			return nil
		}
		return t.Format(time.RFC3339Nano)
	}),
	gojq.WithFunction("sha1", 0, 0, func(v any, _ []any) any {
		s, ok := v.(string)
		if !ok {
			return badValue("sha1: cannot hash %s", typeName(v))
		}
		sum := sha1.Sum([]byte(s))
		return hex.EncodeToString(sum[:])
	}),
}

// valueError names the kind of a value that could not be used, never the value.
type valueError struct{ text string }

func (e *valueError) Error() string { return e.text }

func badValue(format string, args ...any) *valueError {
	return &valueError{fmt.Sprintf(format, args...)}
}

// number reads a number; ok is false for null, NaN and infinities.
func number(v any) (float64, bool, error) {
	f, ok := gojq.ToFloat64(v)
	if s, isText := v.(string); isText {
		parsed, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		// ParseFloat returns an infinity and an error for a number that is too large.
		if err != nil && !math.IsInf(parsed, 0) {
			return 0, false, badValue("to_number: the text is not a number")
		}
		f, ok = parsed, true
	}
	switch {
	case v == nil:
		return 0, false, nil
	case !ok:
		return 0, false, badValue("to_number: cannot read %s as a number", typeName(v))
	case math.IsNaN(f) || math.IsInf(f, 0):
		return 0, false, nil
	}
	return f, true, nil
}

// timeLayouts are RFC 3339 and what vendors write for it; Go's parser takes a
// fraction of a second after any of them.
var timeLayouts = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00"}

// moment reads a time in UTC; the zero time when the vendor gave none.
func moment(v any) (time.Time, error) {
	if s, ok := v.(string); ok {
		s = strings.TrimSpace(s)
		if s == "" {
			return time.Time{}, nil
		}
		for _, layout := range timeLayouts {
			if t, err := time.Parse(layout, s); err == nil {
				return known(t)
			}
		}
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return time.Time{}, badValue("to_time: the text is not a time of RFC 3339")
		}
	}
	f, ok, err := number(v)
	if err != nil {
		return time.Time{}, badValue("to_time: cannot read %s as a time", typeName(v))
	}
	if !ok || f == 0 {
		return time.Time{}, nil
	}
	return epoch(f)
}

// millisFrom separates seconds from milliseconds since 1970: as seconds it is the
// year 5138, as milliseconds 1973.
const millisFrom = 1e11

func epoch(f float64) (time.Time, error) {
	if f >= millisFrom {
		f /= 1000
	}
	if f < 0 || f >= millisFrom {
		return time.Time{}, badValue("to_time: the number is not a time in seconds or milliseconds since 1970")
	}
	sec, frac := math.Modf(f)
	return known(time.Unix(int64(sec), int64(math.Round(frac*1e6))*1000))
}

// known drops the zero time, which Go programs write for "never".
func known(t time.Time) (time.Time, error) {
	t = t.UTC()
	if t.Year() <= 1 {
		return time.Time{}, nil
	}
	if t.Year() > 9999 {
		return time.Time{}, badValue("to_time: the year is past 9999")
	}
	return t, nil
}
