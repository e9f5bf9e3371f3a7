package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSON encodes what a channel freezes or posts: on one line, and with <, > and & as
// they are, since no page shows it. Texts, numbers and times always encode; anything
// else is a mistake in the program, and panics.
func JSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
