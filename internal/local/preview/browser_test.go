//go:build browser

package preview_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/browsertest"
	"github.com/ringonce/ringonce/internal/local/preview"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/ses"
	"github.com/ringonce/ringonce/internal/slack"
)

// attacked is a notice in which every text that a vendor can set is an attack.
func attacked(link string) notice.Notice {
	n := sendertest.Hostile()
	evil := browsertest.All()
	n.Title, n.Summary, n.IncidentKey = evil, evil, evil
	n.Evidence = notice.Evidence{
		Link: link, VendorID: evil, Stage: evil, Deployment: evil, CorrelationID: evil, Samples: append([]string{evil}, browsertest.Attacks...),
	}
	return n
}

func mail(t *testing.T, n notice.Notice) (html, text string) {
	t.Helper()
	var m struct{ HTML, Text string }
	if err := json.Unmarshal(ses.Render(n), &m); err != nil {
		t.Fatal(err)
	}
	return m.HTML, m.Text
}

// still opens a page that has no policy but its own.
func still(t *testing.T, page string) {
	t.Helper()
	page = strings.Replace(page, "<head>", `<head><link rel="icon" href="data:,">`, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(s.Close)
	v := browsertest.Open(t, s.URL+"/page")
	browsertest.AssertStill(t, v, s.URL+"/page")
	if !strings.Contains(v.DOM, "fetch('"+browsertest.Elsewhere) {
		t.Error("the vendor's text is not on the page, so nothing was tested")
	}
}

// TestNothingInAMailRunsOrLoads: mail programs show HTML as browsers do, and a
// mail has no policy to help it.
func TestNothingInAMailRunsOrLoads(t *testing.T) {
	for _, link := range browsertest.Links[2:4] {
		html, _ := mail(t, attacked(link))
		still(t, html)
	}
}

func TestNothingOnThePreviewRunsOrLoads(t *testing.T) {
	n := attacked(browsertest.Links[3])
	html, text := mail(t, n)
	var b strings.Builder
	if err := preview.Write(&b, []preview.Example{{Name: "open", Slack: slack.Render(n), Mail: html, Text: text}}); err != nil {
		t.Fatal(err)
	}
	// Escaping is to hold without the page's policy.
	_, rest, _ := strings.Cut(b.String(), `<meta name="viewport"`)
	still(t, `<!doctype html><html><head><meta name="viewport"`+rest)
}
