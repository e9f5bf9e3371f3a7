package display_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ringonce/ringonce/internal/local/display"
)

func TestDeliveriesNameTheirIncident(t *testing.T) {
	for want, l := range map[string]map[string]any{
		"  deliver   slack                  open delivered, attempt 2  Card fails\n": {
			"state": "delivered", "attempt": 2, "status": 200,
		},
		"  deliver   slack                  open pending, attempt 1 (secret_unavailable)  Card fails\n": {
			"state": "pending", "attempt": 1, "status": 0, "code": "secret_unavailable",
		},
		"  deliver   slack                  open dead, attempt 1 (404 no_service): refused for good  Card fails\n": {
			"state": "dead", "attempt": 1, "status": 404, "code": "no_service", "note": "refused for good",
		},
		"  deliver   slack                  open superseded: overtaken; see d1-x  Card fails\n": {
			"state": "superseded", "note": "overtaken; see d1-x",
		},
	} {
		l["msg"], l["action"], l["destination"], l["incident_key"], l["summary"] = "delivery", "open", "slack", "k1/error/payment=card", "Card fails"
		raw, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		display.New(&out, display.Plain).Line("deliver", string(raw))
		if out.String() != want {
			t.Errorf("shown %q, want %q", out.String(), want)
		}
	}
}
