package slack_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/slack"
)

// case D4: Slack takes the message and cuts the connection. The outcome is
// ambiguous; sent again, the message carries the same delivery id and says that
// it may be a repeat.
func TestAcceptedThenCut(t *testing.T) {
	box, err := inbox.Start(inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	url, s := box.WebhookURL("alerts"), slack.NewSender(nil, clock)
	box.Script("alerts", inbox.AcceptAndClose())

	n := sendertest.Examples()[0].Notice
	if o := s.Send(t.Context(), slack.Render(n), url); o.Class != delivery.Ambiguous || o.Code == "" || o.Status != 0 {
		t.Errorf("first: %+v", o)
	}
	n.MayBeRepeat = true
	if o := s.Send(t.Context(), slack.Render(n), url); o.Class != delivery.Accepted {
		t.Errorf("second: %+v", o)
	}
	got := box.Messages()
	if len(got) != 2 || got[0].DeliveryID != n.DeliveryID || got[1].DeliveryID != n.DeliveryID {
		t.Fatalf("arrived: %+v", got)
	}
	if strings.Contains(got[0].Show(false), "may be a repeat") || !strings.Contains(got[1].Show(false), "may be a repeat") {
		t.Errorf("which is the repeat?\n%s%s", got[0].Show(false), got[1].Show(false))
	}
}
