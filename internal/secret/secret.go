package secret

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a string that prints as ***, whichever way it is printed. Reveal
// gives the value to the one call that needs it.
//
// Two places escape it: package fmt cannot ask a value in an unexported field
// how it wants to be printed, and encoding/json does not ask a map's key. A
// Secret belongs into neither.
type Secret string

const masked = "***"

// Reveal returns the value.
func (s Secret) Reveal() string { return string(s) }

// String implements fmt.Stringer.
func (Secret) String() string { return masked }

// GoString implements fmt.GoStringer, for %#v.
func (Secret) GoString() string { return masked }

// Format implements fmt.Formatter, for verbs that a string does not have: fmt
// would complain about them and print the value.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, masked) }

// MarshalText implements encoding.TextMarshaler; JSON and YAML use it too.
func (Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }

// MarshalJSON implements json.Marshaler.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + masked + `"`), nil }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(masked) }
