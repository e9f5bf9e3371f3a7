package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSON encodes what a channel freezes or posts: on one line, with <, > and &
// unescaped, since no page shows it. Texts, numbers and times always encode; it
// panics on anything else, which is a bug.
func JSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
