package streamevent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// into decodes JSON of one type. Unlike encoding/json it does not accept null as a
// zero value. Its errors do not quote the content, which may be anything.
func into[T any](raw json.RawMessage) (T, error) {
	var v T
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return v, errors.New("null")
	}
	err := json.Unmarshal(raw, &v)
	var mistyped *json.UnmarshalTypeError
	switch {
	case err == nil:
		return v, nil
	case errors.As(err, &mistyped):
		return v, fmt.Errorf("want %s, have a JSON %s", describe(v), mistyped.Value)
	default:
		return v, errors.New("unreadable")
	}
}

func describe(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case bool:
		return "true or false"
	case []byte:
		return "base64"
	case []json.RawMessage:
		return "a list"
	default:
		return "an object"
	}
}

// field reads one member of an object.
func field[T any](fields map[string]json.RawMessage, name string) (T, error) {
	raw, ok := fields[name]
	if !ok {
		var none T
		return none, fmt.Errorf("%s: %w", name, errMissing)
	}
	v, err := into[T](raw)
	if err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}
