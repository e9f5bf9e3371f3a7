package pages

import (
	"context"
	"fmt"
	"strings"
)

// Secrets turns a reference into its value.
type Secrets interface {
	Resolve(ctx context.Context, ref string) (string, error)
	Invalidate(ref string)
}

// minSecret is the least length of a secret in bytes; a shorter one could be
// found by trying.
const minSecret = 16

// keys reads the secret that a reference names. While it is replaced it is two,
// "NEW OLD": the first signs, and each is accepted.
func keys(ctx context.Context, s Secrets, ref string) ([][]byte, error) {
	text, err := s.Resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	var all [][]byte
	for _, word := range strings.Fields(text) {
		if len(word) < minSecret {
			return nil, fmt.Errorf("secret %s holds one of less than %d characters; make one with `openssl rand -hex 32`", ref, minSecret)
		}
		all = append(all, []byte(word))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("secret %s is empty; make one with `openssl rand -hex 32`", ref)
	}
	return all, nil
}
