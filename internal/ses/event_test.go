package ses_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/ses"
)

// case C7: of an event only SES's own words are kept, never an address or what
// a recipient's server said.
func TestEventsKeepNoAddress(t *testing.T) {
	files, err := filepath.Glob("../../events/receipts/*.json")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d events: %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for word, code := range map[string]string{
			"General": "permanent_general", "On-Account-Suppression List": "permanent_on_account_suppression_list",
			"oncall@example.com": "permanent", "a/b": "permanent", "": "permanent", strings.Repeat("a", 41): "permanent",
		} {
			e, ours, err := ses.ReadEvent([]byte(strings.Replace(string(data), `"General"`, `"`+word+`"`, 1)))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if strings.Contains(e.Receipt.Code+e.DeliveryID+e.MessageID, "@") {
				t.Errorf("%s: %+v", file, e)
			}
			if e.Receipt.Fate == delivery.Bounced && e.Receipt.Code != code {
				t.Errorf("%q gives the code %q, want %q", word, e.Receipt.Code, code)
			}
			if ours != (e.DeliveryID == id) {
				t.Errorf("%s: ours %v, %+v", file, ours, e)
			}
		}
	}
}

func TestRejectedMails(t *testing.T) {
	data, err := os.ReadFile("../../events/receipts/send.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ kind, more, code string }{
		{"Reject", `,"reject":{"reason":"Bad content"}`, "reject_bad_content"},
		{"Rendering Failure", `,"failure":{"errorMessage":"for oncall@example.com"}`, "rendering_failure"},
	} {
		text := strings.Replace(string(data), `"Send",`, `"`+x.kind+`"`+x.more+`,`, 1)
		if e, ours, err := ses.ReadEvent([]byte(text)); err != nil || !ours || e.Receipt.Fate != delivery.Rejected || e.Receipt.Code != x.code {
			t.Errorf("%s: %+v, %v, %v", x.kind, e, ours, err)
		}
	}
}
