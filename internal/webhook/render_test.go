package webhook_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/webhook"
)

func idOf(t testing.TB, payload []byte) string {
	t.Helper()
	var d struct{ ID string }
	if err := json.Unmarshal(payload, &d); err != nil {
		t.Fatal(err)
	}
	return d.ID
}

func TestGolden(t *testing.T) {
	for _, e := range sendertest.Examples() {
		t.Run(e.Name, func(t *testing.T) {
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, webhook.Render(e.Notice), "", "  "); err != nil {
				t.Fatal(err)
			}
			pretty.WriteByte('\n')
			sendertest.Golden(t, "webhook/"+e.Name+".json", pretty.Bytes())
		})
	}
}

// The documentation promises receivers less than 64 KiB.
func TestDocumentsStaySmall(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		if n := len(webhook.Render(sendertest.AnyNotice(rt))); n > 64<<10 {
			rt.Fatalf("%d bytes", n)
		}
	})
}
