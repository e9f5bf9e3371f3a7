package inbox_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/inbox"
)

func start(t *testing.T, o inbox.Options) *inbox.Inbox {
	t.Helper()
	box, err := inbox.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	return box
}

// call posts JSON and returns status and body; an answer that does not come is
// status 0.
func call(t *testing.T, url, body string) (int, string, http.Header) {
	t.Helper()
	return do(t, http.MethodPost, url, "application/json", body)
}

func do(t *testing.T, method, url, kind, body string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=x")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", nil
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer), resp.Header
}

func text(kind string, n int) string {
	return fmt.Sprintf(`{"type":%q,"text":%q}`, kind, strings.Repeat("é", n))
}

func blocks(b ...string) string { return `{"text":"x","blocks":[` + strings.Join(b, ",") + `]}` }

func section(text string) string { return `{"type":"section","text":` + text + `}` }

func times(n int, s string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = s
	}
	return all
}

func fields(n, length int) string {
	return `{"type":"section","fields":[` + strings.Join(times(n, text("mrkdwn", length)), ",") + `]}`
}

func context(n int) string {
	return `{"type":"context","elements":[` + strings.Join(times(n, text("plain_text", 1)), ",") + `]}`
}

func header(t string) string { return `{"type":"header","text":` + t + `}` }

func TestSlackIsAsStrictAsSlack(t *testing.T) {
	url := start(t, inbox.Options{}).WebhookURL("alerts")
	for name, x := range map[string]struct {
		body, want string
	}{
		"text":                   {`{"text":"hello"}`, "ok"},
		"flags":                  {`{"text":"x","mrkdwn":false,"parse":"none","link_names":false,"unfurl_links":false,"unfurl_media":false}`, "ok"},
		"not JSON":               {`hello`, "invalid_payload"},
		"nothing":                {`{}`, "no_text"},
		"empty text":             {`{"text":""}`, "no_text"},
		"a slip of the pen":      {`{"txt":"hello"}`, "invalid_payload"},
		"long text":              {`{"text":"` + strings.Repeat("a", 40000) + `"}`, "ok"},
		"too long text":          {`{"text":"` + strings.Repeat("a", 40001) + `"}`, "invalid_payload"},
		"section at the limit":   {blocks(section(text("mrkdwn", 3000))), "ok"},
		"section over it":        {blocks(section(text("mrkdwn", 3001))), "invalid_blocks"},
		"empty section":          {blocks(section(text("plain_text", 0))), "invalid_blocks"},
		"section with nothing":   {blocks(`{"type":"section"}`), "invalid_blocks"},
		"header at the limit":    {blocks(header(text("plain_text", 150))), "ok"},
		"header over it":         {blocks(header(text("plain_text", 151))), "invalid_blocks"},
		"header with markup":     {blocks(header(text("mrkdwn", 10))), "invalid_blocks"},
		"ten fields":             {blocks(fields(10, 10)), "ok"},
		"eleven fields":          {blocks(fields(11, 10)), "invalid_blocks"},
		"a field over its limit": {blocks(fields(1, 2001)), "invalid_blocks"},
		"ten elements":           {blocks(context(10)), "ok"},
		"eleven elements":        {blocks(context(11)), "invalid_blocks"},
		"no elements":            {blocks(context(0)), "invalid_blocks"},
		"fifty blocks":           {blocks(times(50, `{"type":"divider"}`)...), "ok"},
		"fifty-one blocks":       {blocks(times(51, `{"type":"divider"}`)...), "invalid_blocks"},
		"all blocks too long":    {blocks(times(4, section(text("mrkdwn", 2900)))...), "msg_blocks_too_long"},
		"unknown block":          {blocks(`{"type":"marquee"}`), "invalid_blocks"},
		"unknown text":           {blocks(section(text("html", 3))), "invalid_blocks"},
		"emoji flag of markup":   {blocks(section(`{"type":"mrkdwn","text":"x","emoji":true}`)), "invalid_blocks"},
		"verbatim plain text":    {blocks(section(`{"type":"plain_text","text":"x","verbatim":true}`)), "invalid_blocks"},
		"pairs count as two":     {blocks(header(`{"type":"plain_text","text":"` + strings.Repeat("𝟙", 76) + `"}`)), "invalid_blocks"},
	} {
		wantStatus := http.StatusBadRequest
		if x.want == "ok" {
			wantStatus = http.StatusOK
		}
		if status, word, _ := call(t, url, x.body); word != x.want || status != wantStatus {
			t.Errorf("%s: %d %s, want %d %s", name, status, word, wantStatus, x.want)
		}
	}
}

func TestSlackTakesOnlyItsOwnCalls(t *testing.T) {
	box := start(t, inbox.Options{})
	url := box.WebhookURL("alerts")
	if status, word, _ := call(t, url+"0", `{"text":"x"}`); status != 404 || word != "no_service" {
		t.Errorf("an unknown webhook: %d %s", status, word)
	}
	if status, word, _ := do(t, http.MethodGet, url, "application/json", `{"text":"x"}`); status != 400 || word != "invalid_payload" {
		t.Errorf("GET: %d %s", status, word)
	}
	if status, word, _ := do(t, http.MethodPost, url, "text/plain", `{"text":"x"}`); status != 400 || word != "invalid_payload" {
		t.Errorf("plain text: %d %s", status, word)
	}
	if n := len(box.Messages()); n != 0 {
		t.Errorf("%d messages accepted", n)
	}
	if calls := box.Calls(); len(calls) != 3 || calls[0].Status != 404 || calls[1].Target != "alerts" {
		t.Errorf("calls %+v", calls)
	}
}

// What a reader could click and who would be called is found wherever Slack
// would find it.
func TestSlackReadsMarkupWhereSlackDoes(t *testing.T) {
	for name, x := range map[string]struct {
		body            string
		mentions, links int
		shown           string
	}{
		"mention in the fallback":     {`{"text":"<!channel> a"}`, 1, 0, ""},
		"user in plain text":          {blocks(section(`{"type":"plain_text","text":"<@U1> a"}`)), 1, 0, "⟪@U1⟫ a"},
		"link in markup":              {blocks(section(`{"type":"mrkdwn","text":"<https://a.example?x=1&amp;y=2|b &amp; c>"}`)), 0, 1, "b & c (https://a.example?x=1&y=2)"},
		"bare address":                {blocks(section(`{"type":"mrkdwn","text":"see https://a.example"}`)), 0, 1, "see https://a.example"},
		"bare address, verbatim":      {blocks(section(`{"type":"mrkdwn","text":"see https://a.example @here","verbatim":true}`)), 0, 0, "see https://a.example @here"},
		"bare name":                   {blocks(section(`{"type":"mrkdwn","text":"@here a"}`)), 1, 0, "@here a"},
		"escaped":                     {blocks(section(`{"type":"mrkdwn","text":"&lt;!channel&gt; &amp;lt;","verbatim":true}`)), 0, 0, "<!channel> &lt;"},
		"address in the fallback":     {`{"text":"https://a.example"}`, 0, 1, ""},
		"the same, inert":             {`{"text":"https://a.example","mrkdwn":false}`, 0, 0, ""},
		"name in the fallback, asked": {`{"text":"@channel","link_names":true}`, 1, 0, ""},
	} {
		box := start(t, inbox.Options{})
		if _, word, _ := call(t, box.WebhookURL("a"), x.body); word != "ok" {
			t.Fatalf("%s: %s", name, word)
		}
		p := box.Messages()[0].Post
		if len(p.Mentions) != x.mentions || len(p.Links) != x.links {
			t.Errorf("%s: mentions %q, links %q", name, p.Mentions, p.Links)
		}
		if x.shown != "" && (len(p.Shown) != 1 || p.Shown[0].Text != x.shown) {
			t.Errorf("%s: shown %q, want %q", name, p.Shown, x.shown)
		}
	}
}
