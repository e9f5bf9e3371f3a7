package story

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
)

// pick copies the recorded items whose identifier is wanted, in their order.
func pick(items []map[string]any, field string, want func(id string) bool) []map[string]any {
	out := []map[string]any{}
	for _, it := range items {
		if want(text(it[field])) {
			out = append(out, maps.Clone(it))
		}
	}
	return out
}

func suppressed(alerts []map[string]any, fingerprint string) bool {
	for _, a := range alerts {
		if text(a["fingerprint"]) != fingerprint {
			continue
		}
		status, _ := a["status"].(map[string]any)
		return status["state"] == "suppressed"
	}
	return false
}

// text renders an identifier as the vendor wrote it; JSON numbers here are integers.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return ""
	}
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// Another test covers clients that go away.
	_ = json.NewEncoder(w).Encode(body)
}
