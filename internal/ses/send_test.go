package ses_test

import (
	"encoding/json"
	"fmt"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/ses"
)

// Mails of one episode have one base subject and refer to one root; those of
// another episode refer to another.
func TestMailsOfAnEpisodeAreOneThread(t *testing.T) {
	var open, other string
	for _, e := range sendertest.Examples() {
		n := e.Notice
		if n.Title != "Error: Tool is already registered" {
			continue
		}
		l := letter(t, n)
		if got := strings.TrimPrefix(l.Subject, "Re: "); got != "[production] Error: Tool is already registered" {
			t.Errorf("%s: subject %q", e.Name, l.Subject)
		}
		if first := n.Action == incident.Open || n.Unannounced; first == strings.HasPrefix(l.Subject, "Re: ") {
			t.Errorf("%s: subject %q: only what follows the first mail is a reply", e.Name, l.Subject)
		}
		if open == "" {
			open = l.Headers["References"]
		}
		if l.Headers["References"] != open || l.Headers["In-Reply-To"] != open {
			t.Errorf("%s: headers %v, want the root %s", e.Name, l.Headers, open)
		}
		n.Episode++
		n.Summary = "another text"
		other = letter(t, n).Headers["References"]
		if other == open {
			t.Errorf("%s: the next episode is in the same thread", e.Name)
		}
	}
	if !strings.HasSuffix(open, "@example.com>") || !strings.HasPrefix(open, "<t1-") {
		t.Errorf("root %q: want an id in the sender's domain", open)
	}
}

// The delivery id is where each of its readers looks for it.
func TestDeliveryIDTravelsWithTheMail(t *testing.T) {
	n := sendertest.Hostile()
	l := letter(t, n)
	if l.Tags["ringonce-delivery-id"] != n.DeliveryID || l.Headers["X-Ringonce-Delivery-Id"] != n.DeliveryID {
		t.Errorf("tags %v, headers %v: want %s", l.Tags, l.Headers, n.DeliveryID)
	}
	for part, text := range map[string]string{"text": l.Text, "html": l.HTML} {
		if !strings.Contains(text, "Delivery "+n.DeliveryID) {
			t.Errorf("the %s part does not name the delivery", part)
		}
	}
}

// case C5: vendor text is shown as it is, in both parts.
func TestCaseC5VendorTextIsShownAsItIs(t *testing.T) {
	l := letter(t, sendertest.Hostile())
	if !strings.Contains(l.Text, "\n    "+sendertest.HostileText+"\n") {
		t.Errorf("the text part does not show it:\n%s", l.Text)
	}
	for _, bad := range []string{"<script", "<img", "<!channel", "<https"} {
		if strings.Contains(l.HTML, bad) {
			t.Errorf("the html part holds %q:\n%s", bad, l.HTML)
		}
	}
	if want := `href="https://vendor.example.com/g?q=a%7Cb&amp;f=%3Cx%3E%20y"`; !strings.Contains(l.HTML, want) {
		t.Errorf("the html part does not hold %s", want)
	}
	for line := range strings.Lines(l.Text) {
		if strings.HasPrefix(line, "Bcc:") || strings.HasPrefix(line, "Delivery d1-0000") {
			t.Errorf("a vendor's line passes for ours: %q", line)
		}
	}
}

// tags are all that the html part may hold: ours, with the attributes that we
// give them, and links to http and https.
var tags = regexp.MustCompile(`^(?:<!DOCTYPE html>|<html lang="en">|<meta (?:charset="utf-8"|name="color-scheme" content="light dark")>|` +
	`</?(?:html|head|body|h1|p|pre|strong|table|tr|td|a|br)>|<(?:body|h1|p|pre|table|td)(?: role="presentation")? style="[^"<>]*">|` +
	`<a href="https?://[^"<> ]+" rel="noreferrer">)$`)

func TestNoTextMakesMarkup(t *testing.T) {
	tag := regexp.MustCompile(`<[^>]*>?`)
	rapid.Check(t, func(rt *rapid.T) {
		var m struct{ HTML string }
		if err := json.Unmarshal(ses.Render(sendertest.AnyNotice(rt)), &m); err != nil {
			rt.Fatal(err)
		}
		for _, found := range tag.FindAllString(m.HTML, -1) {
			if !tags.MatchString(found) {
				rt.Fatalf("tag %q in\n%s", found, m.HTML)
			}
		}
	})
}

func TestWhatCannotBeSentIsRefusedHere(t *testing.T) {
	good := ses.Render(sendertest.Examples()[0].Notice)
	many := make([]string, 51)
	for i := range many {
		many[i] = fmt.Sprintf("a%d@example.com", i)
	}
	box := start(t)
	s := ses.NewSender(client(box.SESEndpoint(), nil), now)
	for _, x := range []struct {
		name    string
		payload []byte
		from    string
		to      []string
		code    string
	}{
		{"payload", []byte(`{"subject":`), from, []string{to}, "bad_payload"},
		{"no subject", []byte(`{}`), from, []string{to}, "bad_payload"},
		{"sender", good, "nobody", []string{to}, "bad_from_address"},
		{"nobody", good, from, nil, "no_recipient"},
		{"too many", good, from, many, "too_many_recipients"},
	} {
		o := s.Send(t.Context(), x.payload, x.from, x.to, id)
		if want := (delivery.Outcome{Class: delivery.Permanent, Code: x.code}); o != want {
			t.Errorf("%s: outcome %+v, want %+v", x.name, o, want)
		}
	}
	if n := len(box.Calls()); n > 0 {
		t.Errorf("%d of them were sent", n)
	}
}

// case D5: a send waits longer than a slow answer takes.
func TestTimeoutIsLongerThanSlowAnswers(t *testing.T) {
	if ses.Timeout < 5*time.Second || ses.Timeout > 30*time.Second {
		t.Errorf("timeout %v", ses.Timeout)
	}
}

// A name beside the address, and letters beyond ASCII, arrive as they are.
func TestNamesAndLettersBeyondASCII(t *testing.T) {
	n := sendertest.Examples()[0].Notice
	n.Title = "Überlauf 界 " + strings.Repeat("ß", 100)
	box := start(t)
	s := ses.NewSender(client(box.SESEndpoint(), nil), now)
	o := s.Send(t.Context(), ses.Render(n), "Störung <alerts@example.com>", []string{"Jörg <oncall@example.com>"}, id)
	if o.Class != delivery.Accepted || o.ProviderID == "" {
		t.Fatalf("outcome %+v", o)
	}
	l := box.Messages()[0].Letter
	if to, err := mail.ParseAddress(l.To[0]); err != nil || to.Name != "Jörg" || to.Address != "oncall@example.com" {
		t.Errorf("to %q: %v", l.To, err)
	}
	if l.Subject != "[production] "+n.Title || !strings.HasSuffix(l.Headers["References"], "@example.com>") {
		t.Errorf("subject %q, headers %v", l.Subject, l.Headers)
	}
}

// SES reports on mails that name a configuration set.
func TestConfigurationSet(t *testing.T) {
	for _, name := range []string{"", "ringonce-mail"} {
		box := start(t)
		s := ses.NewSender(client(box.SESEndpoint(), nil), now)
		s.ConfigurationSet = name
		if o := s.Send(t.Context(), ses.Render(sendertest.Examples()[0].Notice), from, []string{to}, id); o.Class != delivery.Accepted {
			t.Fatalf("%+v", o)
		}
		if has := strings.Contains(string(box.Messages()[0].Body), `"ConfigurationSetName":"ringonce-mail"`); has != (name != "") {
			t.Errorf("set %q: %s", name, box.Messages()[0].Body)
		}
	}
}
