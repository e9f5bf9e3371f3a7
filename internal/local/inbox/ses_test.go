package inbox_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/inbox"
)

const goodMail = `{"FromEmailAddress":"a@example.com","Destination":{"ToAddresses":["b@example.com"]},` +
	`"EmailTags":[{"Name":"id","Value":"d1-0123456789abcdef0123"}],` +
	`"Content":{"Simple":{"Subject":{"Data":"=?utf-8?q?S=C3=BC?="},"Body":{"Text":{"Data":"text"},"Html":{"Data":"<p>"}},` +
	`"Headers":[{"Name":"References","Value":"<r@example.com>"}]}}}`

func TestSESTakesAGoodMail(t *testing.T) {
	box := start(t, inbox.Options{})
	status, body, _ := call(t, box.SESEndpoint()+"/v2/email/outbound-emails", goodMail)
	if status != 200 || !strings.Contains(body, `"MessageId":"0100000000000000-00000001-000000"`) {
		t.Fatalf("%d %s", status, body)
	}
	m := box.Messages()[0]
	l := m.Letter
	if m.DeliveryID != "d1-0123456789abcdef0123" || m.Target != "b@example.com" || l.Subject != "Sü" || l.Text != "text" ||
		l.HTML != "<p>" || l.Headers["References"] != "<r@example.com>" || l.ID != "0100000000000000-00000001-000000" {
		t.Errorf("%+v %+v", m, l)
	}
}

func TestSESIsAsStrictAsSES(t *testing.T) {
	box := start(t, inbox.Options{})
	url := box.SESEndpoint() + "/v2/email/outbound-emails"
	many := `"` + strings.Join(times(50, "b@example.com"), `","`) + `"`
	for name, change := range map[string][2]string{
		"no sender":       {`"a@example.com"`, `""`},
		"odd sender":      {`"a@example.com"`, `"ä@example.com"`},
		"no recipient":    {`["b@example.com"]`, `[]`},
		"odd recipient":   {`["b@example.com"]`, `["b"]`},
		"51 recipients":   {`["b@example.com"]`, `["c@example.com",` + many + `]`},
		"no subject":      {`=?utf-8?q?S=C3=BC?=`, ``},
		"raw letters":     {`=?utf-8?q?S=C3=BC?=`, `Sü`},
		"line break":      {`=?utf-8?q?S=C3=BC?=`, `a\nBcc: x`},
		"no body":         {`"Text":{"Data":"text"},"Html":{"Data":"<p>"}`, ``},
		"reserved header": {`"References"`, `"Message-ID"`},
		"header name":     {`"References"`, `"Re ferences"`},
		"header value":    {`<r@example.com>`, `a\r\nBcc: x`},
		"long header":     {`<r@example.com>`, strings.Repeat("a", 871)},
		"16 headers":      {`"Headers":[`, `"Headers":[` + strings.Join(numbered(15), ",") + `,`},
		"tag":             {`d1-0123456789abcdef0123`, `a b`},
		"not simple":      {`"Simple"`, `"Raw"`},
		"unknown field":   {`"EmailTags"`, `"Tags"`},
	} {
		body := strings.Replace(goodMail, change[0], change[1], 1)
		if body == goodMail {
			t.Fatalf("%s: nothing changed", name)
		}
		status, answer, head := call(t, url, body)
		if status != 400 || head.Get("X-Amzn-ErrorType") != "BadRequestException" || !strings.Contains(answer, `"message"`) {
			t.Errorf("%s: %d %s %s", name, status, head.Get("X-Amzn-ErrorType"), answer)
		}
	}
	if n := len(box.Messages()); n != 0 {
		t.Errorf("%d of them accepted", n)
	}
}

func numbered(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = `{"Name":"X-` + strings.Repeat("a", i+1) + `","Value":"v"}`
	}
	return all
}
