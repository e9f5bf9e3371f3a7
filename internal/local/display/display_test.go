package display

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestVendorTextDoesNotSteerTheTerminal feeds every kind of line with escape
// sequences, forged lines and marks that turn text around.
func TestVendorTextDoesNotSteerTheTerminal(t *testing.T) {
	const hostile = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\r\n  deliver   slack open delivered"
	for _, msg := range []string{"poll", "observation", "decision", "delivery", "silenced", "something else"} {
		raw, err := json.Marshal(map[string]any{
			"level": "WARN", "msg": msg, "source": hostile, "outcome": "partial", "problems": []string{hostile},
			"incident_key": hostile, "verdict": "failing", "status": hostile, "new": true, "summary": hostile,
			"action": "open", "reason": hostile, "destination": hostile, "state": "dead", "code": hostile,
			"note": hostile, "error": hostile, "silence": hostile,
		})
		if err != nil {
			t.Fatal(err)
		}
		shown(t, msg, string(raw))
	}
	shown(t, "a raw line", hostile)
}

func shown(t *testing.T, name, raw string) {
	t.Helper()
	var out bytes.Buffer
	New(&out, Plain).Line("poll", raw)
	text := out.String()
	if text == "" {
		t.Errorf("%s: nothing is shown", name)
	}
	if i := strings.IndexAny(text, "\x1b\x07\r\u009b\u202e"); i >= 0 {
		t.Errorf("%s: %q reaches the terminal", name, text[i:])
	}
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "  deliver   slack open delivered") {
			t.Errorf("%s: a line was forged:\n%s", name, text)
		}
	}
}

func TestAnEventIsOneLineAPersonCanRead(t *testing.T) {
	for raw, want := range map[string]string{
		`{"msg":"poll","source":"s","tick":"2026-01-02T03:04:00Z","outcome":"ok","requests":2,"failing":1}`:  "  poll      s                      03:04 ok: 1 failing, 0 healthy, 0 unknown (2 requests)\n",
		`{"msg":"decision","incident_key":"k","summary":"It fails","action":"none","reason":"nothing_open"}`: "  decide    It fails               none, nothing_open\n",
		`{"msg":"delivery","destination":"slack","action":"open","state":"delivered","attempt":2}`:           "  deliver   slack                  open delivered, attempt 2\n",
		`{"msg":"silenced","incident_key":"k","destination":"slack","action":"remind","silence":"s-1"}`:      "  silenced  slack                  remind kept back by s-1  k\n",
		`{"msg":"delivery","state":"done"}`:            "",
		`{"msg":"delivery","state":"not_claimable"}`:   "",
		`{"msg":"delivery","state":"already_written"}`: "",
		`{"level":"INFO","msg":"of no interest"}`:      "",
	} {
		var out bytes.Buffer
		New(&out, Plain).Line("f", raw)
		if out.String() != want {
			t.Errorf("%s\n got %q\nwant %q", raw, out.String(), want)
		}
	}
}
