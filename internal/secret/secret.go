package secret

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a string that prints as ***, however it is printed. Reveal returns the
// value, for the one call that needs it.
//
// Two places escape it: package fmt cannot call the methods of a value in an
// unexported field, and encoding/json does not call those of a map's key. Do not put
// a Secret there.
type Secret string

const masked = "***"

// Reveal returns the value.
func (s Secret) Reveal() string { return string(s) }

// String implements fmt.Stringer.
func (Secret) String() string { return masked }

// GoString implements fmt.GoStringer, for %#v.
func (Secret) GoString() string { return masked }

// Format implements fmt.Formatter, for the verbs that do not apply to a string: fmt
// would print an error with the value.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, masked) }

// MarshalText implements encoding.TextMarshaler; JSON and YAML use it too.
func (Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }

// MarshalJSON implements json.Marshaler.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + masked + `"`), nil }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(masked) }
