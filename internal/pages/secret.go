package pages

import (
	"context"
	"fmt"
	"strings"
)

// Secrets resolves references to secrets.
type Secrets interface {
	Resolve(ctx context.Context, ref string) (string, error)
	Invalidate(ref string)
}

// minSecret is the minimum length of a secret in bytes. A shorter one could be found by
// brute force.
const minSecret = 16

// keys returns the signing keys of a secret reference. During a rotation the secret holds
// two, "NEW OLD": the first signs, and both verify.
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
