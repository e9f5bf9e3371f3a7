package infra_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/ringonce/ringonce/internal/emf"
	"github.com/ringonce/ringonce/internal/local/template"
)

var searched = regexp.MustCompile(`^SEARCH\('\{Ringonce,Stack,(\w+)\} MetricName="(\w+)" Stack="[^"]+"', '(Sum|Maximum|Average)', 300\)$`)

// widget is one of the dashboard's, with its place on a grid of 24 columns.
type widget struct {
	X, Y, Width, Height int
	Properties          struct {
		Title, Stat string
		Metrics     [][]any
	}
}

func widgets(t *testing.T) []widget {
	t.Helper()
	d, ok := described(t).Resource("Dashboard")
	if !ok {
		t.Fatal("there is no dashboard")
	}
	text, ok := d.Properties["DashboardBody"].(string)
	if sub, unresolved := d.Properties["DashboardBody"].(template.Unresolved); unresolved {
		text, ok = sub.Argument.(string), true
	}
	var body struct{ Widgets []widget }
	if err := json.Unmarshal([]byte(text), &body); err != nil || !ok {
		t.Fatalf("the dashboard is no JSON: %v", err)
	}
	return body.Widgets
}

// drawn are the metrics of the dashboard's widgets.
func drawn(t *testing.T) []shown {
	t.Helper()
	var all []shown
	for _, w := range widgets(t) {
		for _, m := range w.Properties.Metrics {
			all = append(all, line(t, w.Properties.Title, m))
		}
	}
	return all
}

func line(t *testing.T, by string, m []any) shown {
	t.Helper()
	if expression, ok := at(m[0], "expression").(string); ok {
		found := searched.FindStringSubmatch(expression)
		if found == nil {
			t.Fatalf("widget %s: %s", by, expression)
		}
		return shown{by, emf.Namespace, found[2], []string{emf.Stack, found[1]}}
	}
	s := shown{by: by, namespace: fmt.Sprint(m[0]), name: fmt.Sprint(m[1])}
	for i := 2; i+1 < len(m); i += 2 {
		s.dimensions = append(s.dimensions, fmt.Sprint(m[i]))
	}
	return s
}

// asked are the questions that a person opens the dashboard with: metrics, by the
// dimension besides the stack, or with the statistic, that answers them.
var asked = []string{
	"TimeToDetect p50", "TimeToDetect p99", "TimeToNotify p50", "TimeToNotify p99",
	"Observations Source", "Decisions Action", "DuplicatesPrevented",
	"Attempts Channel", "Attempts Owner", "Deliveries Channel", "Deliveries Owner",
	"VendorRequests", "VendorRetries", "VendorRateLimited", "RateLimited",
	"Undelivered", "OldestUndelivered", "FailureQueueDepth",
	"ConsumedWriteCapacityUnits ringonce-observations", "ConsumedWriteCapacityUnits ringonce-incidents",
	"ConsumedWriteCapacityUnits ringonce-outbox", "ConsumedWriteCapacityUnits ringonce-operations",
}

func TestTheDashboardAnswersWhatIsAsked(t *testing.T) {
	answers := map[string]bool{}
	for _, w := range widgets(t) {
		for _, m := range w.Properties.Metrics {
			s := line(t, w.Properties.Title, m)
			answers[s.name] = true
			if len(s.dimensions) > 1 {
				answers[s.name+" "+s.dimensions[1]] = true
			}
			if s.namespace != emf.Namespace {
				answers[s.name+" "+fmt.Sprint(m[3])] = true
			}
			if stat := at(m[len(m)-1], "stat"); stat != nil {
				answers[s.name+" "+fmt.Sprint(stat)] = true
			}
		}
	}
	want := slices.Clone(asked)
	for _, f := range functions(t) {
		want = append(want, "Invocations ringonce-"+f.folder)
	}
	for _, question := range want {
		if !answers[question] {
			t.Errorf("nothing shows %s", question)
		}
	}
}

func TestWidgetsHaveAPlaceOfTheirOwn(t *testing.T) {
	taken := map[[2]int]string{}
	for _, w := range widgets(t) {
		if w.Width == 0 || w.Height == 0 || w.X+w.Width > 24 {
			t.Errorf("%s is %d wide and %d high at %d", w.Properties.Title, w.Width, w.Height, w.X)
		}
		for x := w.X; x < w.X+w.Width; x++ {
			for y := w.Y; y < w.Y+w.Height; y++ {
				if other := taken[[2]int{x, y}]; other != "" {
					t.Fatalf("%s lies over %s", w.Properties.Title, other)
				}
				taken[[2]int{x, y}] = w.Properties.Title
			}
		}
	}
}
