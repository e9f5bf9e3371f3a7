package silence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Named returns the silence with an id derived from its content and creation time, so
// that a request made twice at the same moment creates one silence.
func (s Silence) Named() Silence {
	s.ID = ""
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", fmt.Sprintf("%+v", s)))
	s.ID = "s-" + hex.EncodeToString(sum[:4])
	return s
}
