package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"

	"github.com/ringonce/ringonce/internal/redact"
)

// fixture makes a vendor's answer safe to store: JSON with every text redacted and
// without the fields that vendors document as secret. Anything but JSON is redacted
// as one text.
func fixture(body []byte, r *redact.Redactor) []byte {
	v, err := decode(body)
	if err != nil {
		return []byte(r.Text(string(body)))
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(clean(v, r)); err != nil {
		// The value was decoded from JSON, and only texts were replaced.
		return []byte("null\n")
	}
	return out.Bytes()
}

func clean(v any, r *redact.Redactor) any {
	switch v := v.(type) {
	case string:
		return r.Text(pingAddress.ReplaceAllString(v, "${1}redacted"))
	case []any:
		for i := range v {
			v[i] = clean(v[i], r)
		}
	case map[string]any:
		_, pings := v["ping_url"]
		_, person := v["email"].(string)
		for name, value := range v {
			v[name] = cleanField(name, value, pings, r)
			if person && (name == "name" || name == "handle") {
				v[name] = "redacted"
			}
		}
	}
	return v
}

// secretField matches names whose value is secret or personal whatever it looks like:
// the four URLs are those that Healthchecks documents, and people's names are personal
// data.
var secretField = regexp.MustCompile(`(?i)^(?:(?:ping|update|pause|resume)_url|.*(?:token|secret|password|api_?key)|acknowledged_by|resolved_by)$`)

// pingAddress ends in the token that authenticates Better Stack's heartbeats.
var pingAddress = regexp.MustCompile(`(/api/v1/heartbeat/)[^/?#\s]+`)

func cleanField(name string, value any, pings bool, r *redact.Redactor) any {
	text, isText := value.(string)
	switch {
	case isText && name == "uuid" && pings:
		// Anyone who knows the UUID can ping; a hash replaces it, always by the same
		// text.
		h := sha256.Sum256([]byte(text))
		x := hex.EncodeToString(h[:16])
		return x[:8] + "-" + x[8:12] + "-4" + x[13:16] + "-8" + x[17:20] + "-" + x[20:]
	case isText && text != "" && (secretField.MatchString(name) || redact.Named(name, text)):
		return "redacted"
	default:
		return clean(value, r)
	}
}
