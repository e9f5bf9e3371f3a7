package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// hash identifies the input: the file's bytes and those of each preset in use. Each
// content is preceded by its length, so that moving a byte from one to the other
// changes the hash.
func hash(data []byte, presets map[string]*preset) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d:", len(data))
	h.Write(data)
	for _, name := range sortedKeys(presets) {
		fmt.Fprintf(h, "%s:%d:", name, len(presets[name].data))
		h.Write(presets[name].data)
	}
	return "c1-" + hex.EncodeToString(h.Sum(nil))
}
