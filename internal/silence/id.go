package silence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Named returns the silence with an id made of what it says and when it was made:
// the same one asked for twice in one moment is one.
func (s Silence) Named() Silence {
	s.ID = ""
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", fmt.Sprintf("%+v", s)))
	s.ID = "s-" + hex.EncodeToString(sum[:4])
	return s
}
