package incident

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ringonce/ringonce/internal/observation"
)

// SplitKey returns the kind and parts that Key built a key from. A value that was
// too long is returned as its head, "~" and a hash.
func SplitKey(key string) (kind string, parts []observation.Part, err error) {
	fields := strings.Split(key, "/")
	if len(fields) < 3 || fields[0] != keyVersion {
		return "", nil, fmt.Errorf("%w: %q does not begin with %s/KIND/NAME=VALUE", ErrKeyPart, key, keyVersion)
	}
	if kind, err = unescape(fields[1]); err != nil {
		return "", nil, err
	}
	for _, field := range fields[2:] {
		name, value, ok := strings.Cut(field, "=")
		if !ok {
			return "", nil, fmt.Errorf("%w: %q has no = in %q", ErrKeyPart, key, field)
		}
		var p observation.Part
		if p.Name, err = unescape(name); err != nil {
			return "", nil, err
		}
		if p.Value, err = unescape(value); err != nil {
			return "", nil, err
		}
		parts = append(parts, p)
	}
	return kind, parts, nil
}

func unescape(s string) (string, error) {
	if !strings.Contains(s, "%") {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+3 > len(s) {
			return "", fmt.Errorf("%w: %q ends inside an escape", ErrKeyPart, s)
		}
		c, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%w: %q holds %q, which is no escape", ErrKeyPart, s, s[i:i+3])
		}
		b.WriteByte(byte(c))
		i += 2
	}
	return b.String(), nil
}
