package explain_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

var update = flag.Bool("update", false, "write the golden files anew")

const goldens = "../../testdata/golden/explain/"

// send settles the next attempt of an episode's delivery.
func (h *history) send(episode, sequence int, when time.Time, o delivery.Outcome) {
	h.t.Helper()
	ref := delivery.Ref{IncidentKey: key, Slot: delivery.Slot(episode, sequence, "slack")}
	d, err := h.store.Claim(h.t.Context(), ref, "worker", when, when.Add(time.Minute))
	if err != nil {
		h.t.Fatal(err)
	}
	retry := delivery.Retry{Backoff: backoff.Schedule{Base: time.Second, Cap: time.Second}, GiveUpAfter: time.Hour}
	after := d.Settle(o, false, when.Add(200*time.Millisecond), retry, delivery.Resend, 0)
	if err := h.store.Settle(h.t.Context(), after, delivery.UsageOf(d, after)); err != nil {
		h.t.Fatal(err)
	}
}

// TestGoldens: one incident with a retried open, a reminder, an unknown poll, a
// flap that resolved nothing and a second episode, as text and as a page.
func TestGoldens(t *testing.T) {
	p := incident.DefaultPolicy()
	p.Cooldown = 5 * time.Minute
	h := newHistory(t, p)
	h.letters("FFFUFHFFFHHHHFF")
	sent := at(0).Add(3 * time.Second)
	h.send(1, 1, sent, delivery.Outcome{Class: delivery.Temporary, Status: 500, Code: "rollup_error"})
	h.send(1, 1, sent.Add(4*time.Second), delivery.Outcome{Class: delivery.Accepted, Status: 200, Code: "ok"})
	rep := h.explain(explain.Query{})
	for name, write := range map[string]func(*strings.Builder) error{
		"incident.txt":  func(b *strings.Builder) error { return rep.WriteText(b) },
		"incident.html": func(b *strings.Builder) error { return rep.WriteHTML(b) },
	} {
		var got strings.Builder
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(goldens, name)
		if *update {
			if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

var (
	tags       = regexp.MustCompile(`<[a-zA-Z/!][^>]*>`)
	attributes = regexp.MustCompile(`\s([a-zA-Z-]+)="`)
)

// TestThePageHoldsNoForeignMarkup: everything that a vendor wrote is text in the page.
// The page's own tags are few and known, without scripts, handlers or addresses.
func TestThePageHoldsNoForeignMarkup(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)><!-- ' & ]]> ` + "\u202e\x1b[31m"
	h := newHistory(t, incident.DefaultPolicy())
	o := seen(evil, 0, observation.Failing)
	o.Summary, o.Status = evil, evil
	o.Evidence = observation.Evidence{
		Link: "javascript:alert(1)", VendorID: evil, Stage: evil, Deployment: evil, CorrelationID: evil, Samples: []string{evil},
	}
	h.decide(o)
	rep := h.explain(explain.Query{})
	rep.Differences = []explain.Difference{{Log: evil, Replay: evil}}
	rep.Notes = []string{evil}
	rep.Identity.OperatorAction, rep.State.Status = evil, "open"
	rep.Deliveries[0].Note, rep.Deliveries[0].Destination = evil, evil
	rep.Deliveries[0].Attempts = []explain.Attempt{{Number: 1, Class: "temporary", Code: evil, ProviderID: evil}}
	var page strings.Builder
	if err := rep.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	known := " !doctype html head meta title style body main header p h1 section h2 table thead tr th tbody td br code div dl dt dd a ul li figure svg text line rect path circle "
	for _, tag := range tags.FindAllString(page.String(), -1) {
		name := strings.TrimLeft(strings.ToLower(tag), "</")
		name = name[:strings.IndexAny(name, " >")]
		if !strings.Contains(known, " "+name+" ") {
			t.Errorf("a tag that is not the page's own: %s", tag)
		}
		for _, a := range attributes.FindAllStringSubmatch(tag, -1) {
			if strings.HasPrefix(a[1], "on") || a[1] == "src" {
				t.Errorf("an attribute that is not the page's own: %s", tag)
			}
		}
	}
	for _, bad := range []string{"<script", "javascript:", "onerror=alert(2)>", "\x1b", "\u202e", "<!--"} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if !strings.Contains(page.String(), "&lt;script&gt;alert(1)") {
		t.Error("the vendor's text is not shown at all")
	}
}
