package slack_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/slack"
)

// case C5: vendor text is shown as it is in blocks and in the fallback text, it
// mentions nobody, and the only links are the vendor's, whole, and the
// operator's own.
func TestCaseC5VendorTextIsShownAsItIs(t *testing.T) {
	p := post(t, slack.Render(sendertest.Hostile())).Post
	var shown []string
	for _, l := range p.Shown {
		shown = append(shown, l.Text)
	}
	if !slices.Contains(shown, sendertest.HostileText) {
		t.Errorf("the summary is not shown as it is: %q", shown)
	}
	if want := "FAILING in production: " + sendertest.HostileText; p.Fallback != want {
		t.Errorf("fallback %q, want %q", p.Fallback, want)
	}
	if len(p.Mentions) > 0 {
		t.Errorf("vendor text mentions %q", p.Mentions)
	}
	want := []inbox.Link{
		{URL: "https://runbooks.example.com/checkout", Label: "https://runbooks.example.com/checkout"},
		{URL: "https://vendor.example.com/g?q=a%7Cb&f=%3Cx%3E%20y", Label: "Open in sentry-checkout"},
		{URL: sendertest.Hostile().Page, Label: "Open the incident page"},
	}
	if !slices.Equal(p.Links, want) {
		t.Errorf("links %q, want %q", p.Links, want)
	}
}

// case C5, for any text: no mention is ever made, and every link is one that
// was meant as one.
func TestCaseC5NoTextMakesMentionsOrLinks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := sendertest.AnyNotice(rt)
		n.OperatorAction, n.Page, n.Entries = "", "", nil
		m := post(t, slack.Render(n))
		if len(m.Post.Mentions) > 0 {
			rt.Fatalf("mentions %q", m.Post.Mentions)
		}
		if len(m.Post.Links) > 1 {
			rt.Fatalf("links %q", m.Post.Links)
		}
		for _, l := range m.Post.Links {
			if !strings.HasPrefix(l.URL, "http://") && !strings.HasPrefix(l.URL, "https://") {
				rt.Fatalf("link to %q", l.URL)
			}
		}
	})
}

// Slack must not look for links, names or formatting in foreign text by itself:
// it stands in plain_text, whose emoji codes are off, or in verbatim markup.
func TestForeignTextIsInertInThePayload(t *testing.T) {
	var m struct {
		Mrkdwn    *bool  `json:"mrkdwn"`
		Parse     string `json:"parse"`
		LinkNames *bool  `json:"link_names"`
	}
	payload := slack.Render(sendertest.Hostile())
	if err := json.Unmarshal(payload, &m); err != nil {
		t.Fatal(err)
	}
	if m.Mrkdwn == nil || *m.Mrkdwn || m.Parse != "none" || m.LinkNames == nil || *m.LinkNames {
		t.Errorf("the fallback text is not inert: %+v", m)
	}
	if n, v := strings.Count(string(payload), `"mrkdwn","`), strings.Count(string(payload), `"verbatim":true`); n != v {
		t.Errorf("%d texts of markup, %d of them verbatim", n, v)
	}
}

// case C6: 10,000 characters and 400 lines become a message that Slack takes,
// with whole lines and items and a count of what is left out.
func TestCaseC6HugeIsCutToWholeItems(t *testing.T) {
	text := post(t, slack.Render(sendertest.Huge())).Show(false)
	for _, want := range []string{"+370 more lines", "more characters", "+112 more from the source", "k1/error/part=value"} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q in\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "┃ line") && line != "┃ line & 𝟙 <of> many\n" {
			t.Errorf("a line is cut: %q", line)
		}
	}
	if strings.ContainsRune(text, '\uFFFD') {
		t.Error("a character is cut")
	}
}

// Slack refuses messages whose blocks hold about 12,000 characters in all, a
// limit that it does not document; a message stays well below.
func TestAllBlocksTogetherStayBelowTheUnwrittenLimit(t *testing.T) {
	n := sendertest.Huge()
	long := strings.Repeat("long ", 2000)
	n.MayBeRepeat, n.Why, n.Summary, n.Owner, n.Source = true, long, long, long, long
	e := &n.Evidence
	e.Stage, e.CorrelationID, e.VendorID, e.Samples = long, long, long, slices.Repeat([]string{long[:400]}, 40)
	var m struct {
		Blocks []struct {
			Text             struct{ Text string }
			Fields, Elements []struct{ Text string }
		}
	}
	if err := json.Unmarshal(slack.Render(n), &m); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, b := range m.Blocks {
		total += notice.Plain.Length(b.Text.Text)
		for _, f := range append(b.Fields, b.Elements...) {
			total += notice.Plain.Length(f.Text)
		}
	}
	if total > 9000 || total < 8500 {
		t.Errorf("the blocks hold %d characters, want what fits into 9,000", total)
	}
}
