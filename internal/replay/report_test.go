package replay

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update writes it):\n%s", path, got)
	}
}

const vendorGaps = "../../testdata/traces/vendor-gaps.jsonl"

// run runs the command and returns what it wrote.
func run(t *testing.T, command func([]string, *bytes.Buffer, *bytes.Buffer) int, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := command(args, &out, &errs); got != want {
		t.Fatalf("%q: exit status %d, want %d\n%s%s", args, got, want, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

func backtestIn(args []string, out, errs *bytes.Buffer) int { return BacktestCommand(args, out, errs) }

func TestGoldenReports(t *testing.T) {
	dir := t.TempDir()
	html, notices := filepath.Join(dir, "r.html"), filepath.Join(dir, "n.jsonl")
	args := []string{vendorGaps, "--sweep", "cooldown=15m,30m", "failing_required=1,20", "--price", "ses=0.0001", "--channels", "messaging=slack_webhook,ses"}
	table, stderr := run(t, backtestIn, 0, append(args, "--html", html, "--notices", notices, "--all")...)
	golden(t, "table.txt", []byte(table))
	page, err := os.ReadFile(html)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "report.html", page)
	list, err := os.ReadFile(notices)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "notices.jsonl", list)
	report, _ := run(t, backtestIn, 0, append(args, "--json", "-")...)
	golden(t, "report.json", []byte(report))
	if stderr != "" {
		t.Errorf("a short run said on standard error: %s", stderr)
	}
}

// The page needs nothing from anywhere, runs nothing, and shows texts from the
// trace as texts.
func TestPageIsSelfContained(t *testing.T) {
	rows := line(`</style><script>alert("key")</script>`, "FFHHFH", "FFHHHH")
	r, err := Run(rows, []Candidate{{Name: `<img src=x onerror="alert(1)">`}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := Timelines(rows, r, 3)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	rep := NewReport(r, []string{"<b>trace</b>"}, DefaultLateAfter, DefaultPricing())
	if err := rep.WriteHTML(&page, lines); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img", "<b>", "http://", "https://", "url(", "@import", "src=", "href=", "ZgotmplZ", "%!"} {
		for _, at := range regexp.MustCompile(regexp.QuoteMeta(bad)).FindAllStringIndex(page.String(), -1) {
			around := page.String()[max(0, at[0]-30):min(page.Len(), at[1]+30)]
			if bad == "src=" && strings.Contains(around, "&lt;img src=") {
				continue
			}
			t.Errorf("the page holds %q: …%s…", bad, around)
		}
	}
	for _, want := range []string{"default-src 'none'", "prefers-color-scheme: dark", "&lt;script&gt;"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// Scores that need truth are named as undefined, never invented.
func TestWithoutTruth(t *testing.T) {
	r, err := Run(line("k", "FFHFHHFHH", ""), []Candidate{{Name: "base", Policy: defaults(nil)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rep := NewReport(r, []string{"t"}, DefaultLateAfter, DefaultPricing())
	want := "missed_opens late_opens duplicate_opens false_opens premature_resolves truth_to_open truth_to_resolve"
	if got := strings.Join(rep.Undefined, " "); got != want {
		t.Errorf("undefined: got %s", got)
	}
	for _, name := range rep.Undefined {
		if v, ok := rep.Policies[0].Scores[name]; v != nil || !ok {
			t.Errorf("%s: got %v, want null", name, v)
		}
	}
	if v := rep.Policies[0].Scores["notices"]; v == nil || *v != 4 {
		t.Errorf("notices: got %v, want 4", v)
	}
	var table, page bytes.Buffer
	if err := rep.WriteTable(&table, false); err != nil || !strings.Contains(table.String(), "Not defined") {
		t.Errorf("%v\n%s", err, table.String())
	}
	if err := rep.WriteHTML(&page, nil); err != nil || !strings.Contains(page.String(), "Not defined") || strings.Contains(page.String(), "Missed or late") {
		t.Errorf("%v: the page draws what is not defined", err)
	}
}

func TestEmptyTrace(t *testing.T) {
	r, err := Run(trace.Of(nil), []Candidate{{Name: "base", Policy: defaults(nil)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rep := NewReport(r, []string{"t"}, DefaultLateAfter, DefaultPricing())
	var out bytes.Buffer
	if err := rep.WriteTable(&out, true); err != nil || !strings.HasPrefix(out.String(), "0 rows of 0 keys, from t\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := rep.WriteHTML(&out, nil); err != nil {
		t.Error(err)
	}
	if err := rep.WriteJSON(&out); err != nil {
		t.Error(err)
	}
}

// Of two policies that are alike in all else, the one that costs less wins.
func TestCostIsAScore(t *testing.T) {
	dear, cheap := newTally(), newTally()
	dear.Opens, dear.Notices["ops"] = 1, 1
	cheap.Opens, cheap.Notices["dev"] = 1, 1
	r := &Result{Rows: 1, Candidates: []Candidate{{Name: "dear"}, {Name: "cheap"}}, Tallies: []*Tally{dear, cheap}}
	pricing := Pricing{PerMessage: map[string]float64{"sms": 1}, Channels: map[string][]string{"ops": {"sms"}}}
	if got := NewReport(r, nil, DefaultLateAfter, pricing).Policies; got[0].Unbeaten || !got[1].Unbeaten {
		t.Errorf("unbeaten: dear %t, cheap %t", got[0].Unbeaten, got[1].Unbeaten)
	}
}

// Points that would write over one another are drawn, but not all labelled.
func TestChartLabels(t *testing.T) {
	c := Chart{Points: []Point{
		{X: 10, Y: 10, Label: "2"}, {X: 12, Y: 12, Label: "1", Base: true, Unbeaten: true}, {X: 11, Y: 10, Label: "3", Unbeaten: true}, {X: 90, Y: 90, Label: "4"},
	}}
	c.labelWhereThereIsRoom()
	var labels []string
	for _, p := range c.Points {
		labels = append(labels, p.Label)
	}
	if got := strings.Join(labels, ","); got != ",4,,1" {
		t.Errorf("got %s", got)
	}
}

func TestChartMergesEqualPolicies(t *testing.T) {
	same := []Candidate{{Name: "base", Policy: defaults(nil)}, {Name: "twin", Policy: defaults(func(p *incident.Policy) { p.StaleAfter = 0 })}}
	r, err := Run(line("k", "FFHHHH", "FFHHHH"), same, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range NewReport(r, nil, DefaultLateAfter, DefaultPricing()).Charts() {
		if len(c.Points) != 1 || c.Points[0].Label != "1 +1" || !strings.Contains(c.Points[0].Title, "2 twin") {
			t.Errorf("%s: %+v", c.Title, c.Points)
		}
	}
}
