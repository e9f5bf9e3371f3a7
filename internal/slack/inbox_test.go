package slack_test

import (
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/slack"
)

// post sends a payload to the strict local Slack and returns what it accepted.
func post(t *testing.T, payload []byte) inbox.Message {
	t.Helper()
	box, err := inbox.Start(inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	o := slack.NewSender(nil, time.Now).Send(t.Context(), payload, box.WebhookURL("alerts"))
	if o.Class != delivery.Accepted {
		t.Fatalf("the local Slack refused the payload: %+v\n%s", o, payload)
	}
	return box.Messages()[0]
}
