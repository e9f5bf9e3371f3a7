package ses_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/ses"
)

// letter sends a notice through the strict local SES and returns what its
// recipients would get.
func letter(t *testing.T, n notice.Notice) *inbox.Letter {
	t.Helper()
	box := start(t)
	s := ses.NewSender(client(box.SESEndpoint(), nil), now)
	o := s.Send(t.Context(), ses.Render(n), "alerts@example.com", []string{"oncall@example.com"}, n.DeliveryID)
	if o.Class != "accepted" {
		t.Fatalf("the local SES refused the mail: %+v", o)
	}
	return box.Messages()[0].Letter
}

// Every kind of mail is looked at in both its parts and with its headers.
func TestGolden(t *testing.T) {
	for _, e := range sendertest.Examples() {
		t.Run(e.Name, func(t *testing.T) {
			l := letter(t, e.Notice)
			head := "Subject: " + l.Subject + "\n"
			for _, name := range slices.Sorted(maps.Keys(l.Headers)) {
				head += name + ": " + l.Headers[name] + "\n"
			}
			sendertest.Golden(t, "ses/"+e.Name+".txt", []byte(head+"\n"+l.Text))
			sendertest.Golden(t, "ses/"+e.Name+".html", []byte(l.HTML))
		})
	}
}
