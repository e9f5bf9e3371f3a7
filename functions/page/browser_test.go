//go:build browser

package main

import (
	"image"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/browsertest"
	"github.com/ringonce/ringonce/internal/local/functionurl"
	"github.com/ringonce/ringonce/internal/observation"
)

// attacked is a page about an incident in which every field that a vendor can
// set is an attack, served as the function URL does.
func attacked(t *testing.T, link string) (url, page string) {
	t.Helper()
	evil := browsertest.All()
	o := seen(0, observation.Failing)
	o.Summary, o.Status = evil, evil
	o.Parts = []observation.Part{{Name: "issue", Value: evil}}
	o.Evidence = observation.Evidence{
		Link: link, VendorID: evil, Stage: evil, Deployment: evil, CorrelationID: evil, Samples: append([]string{evil}, browsertest.Attacks...),
	}
	later := o
	later.Tick, later.Verdict = o.Tick.Add(time.Minute), observation.Unknown
	w := newWorldOf(t, []observation.Observation{o, later})
	server := httptest.NewServer(functionurl.Handler(w.invoke, time.Now, func(err error) { t.Error(err) }))
	t.Cleanup(server.Close)
	res := w.ask(get(w.path(1)))
	return server.URL + w.path(1), res.Body
}

// TestNothingOnAPageRunsOrLoads: markup and script in every vendor field, in a
// real browser. The attacks are known to work where they are taken for markup.
func TestNothingOnAPageRunsOrLoads(t *testing.T) {
	for _, link := range browsertest.Links {
		url, _ := attacked(t, link)
		v := browsertest.Open(t, url)
		browsertest.AssertStill(t, v, url)
		if !strings.Contains(v.DOM, "fetch('"+browsertest.Elsewhere) {
			t.Error("the vendor's text is not on the page, so nothing was tested")
		}
		for _, href := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(v.DOM, -1) {
			if !strings.HasPrefix(href[1], "https://vendor.example.com/") || strings.ContainsAny(href[1], "'<> ") {
				t.Errorf("a link to %q", href[1])
			}
		}
	}
}

// TestEscapingAloneHolds: the same page without any policy.
func TestEscapingAloneHolds(t *testing.T) {
	_, page := attacked(t, browsertest.Links[3])
	meta := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	if !meta.MatchString(page) {
		t.Fatal("the page has no policy of its own to take away")
	}
	url := bare(t, meta.ReplaceAllString(page, `<link rel="icon" href="data:,">`), nil)
	browsertest.AssertStill(t, browsertest.Open(t, url), url)
}

// TestThePolicyAloneHolds: markup that nobody has escaped, under the headers of a
// page.
func TestThePolicyAloneHolds(t *testing.T) {
	url := bare(t, `<!doctype html><title>still</title><p title="`+strings.Join(browsertest.Attacks, "\n")+`">`, headers)
	browsertest.AssertStill(t, browsertest.Open(t, url), url)
}

// TestThePolicyLeavesThePageItsStyle: the hash is that of the style sheet.
func TestThePolicyLeavesThePageItsStyle(t *testing.T) {
	w := newWorld(t)
	server := httptest.NewServer(functionurl.Handler(w.invoke, time.Now, func(err error) { t.Error(err) }))
	t.Cleanup(server.Close)
	if n := reds(browsertest.Picture(t, server.URL+w.path(1))); n < 100 {
		t.Errorf("%d points of the picture have the colour of what is open: the style sheet is not applied", n)
	}
	if n := reds(browsertest.Picture(t, server.URL+"/")); n > 0 {
		t.Errorf("what is not found has %d points of that colour, so they show nothing", n)
	}
}

// reds counts the points in the style sheet's own red, #c8372d.
func reds(picture image.Image) (n int) {
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			if r, g, b, _ := picture.At(x, y).RGBA(); r>>8 == 0xc8 && g>>8 == 0x37 && b>>8 == 0x2d {
				n++
			}
		}
	}
	return n
}

func bare(t *testing.T, page string, with map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for name, value := range with {
			w.Header().Set(name, value)
		}
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/page"
}
