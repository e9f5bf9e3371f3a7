package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

func keysIn(args []string, out, errs *bytes.Buffer) int { return KeysCommand(args, out, errs) }

// recorded are n observations a minute apart, of the parts that of gives.
func recorded(n int, of func(i int) []observation.Part) trace.Rows {
	return func(yield func(trace.Row, error) bool) {
		for i := range n {
			parts := of(i)
			key, err := incident.Key("error", parts)
			row := trace.Row{Observation: observation.Observation{IncidentKey: key, Kind: "error", Parts: parts, Tick: minute(i), Verdict: observation.Failing}}
			if !yield(row, err) {
				return
			}
		}
	}
}

func part(name, value string) observation.Part { return observation.Part{Name: name, Value: value} }

func mustKeys(t *testing.T, rows trace.Rows) *KeyReport {
	t.Helper()
	r, err := Keys(rows, DefaultKeyLimits())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rules(r *KeyReport) string {
	var out []string
	for _, f := range r.Findings {
		level := "warn"
		if f.Breach {
			level = "breach"
		}
		out = append(out, fmt.Sprintf("%s %s %s", level, f.Rule, f.Part))
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "; ")
}

// Case S3: a part that holds a request id, a time or a number that grows is
// found and named.
func TestKeysFindsVolatileParts(t *testing.T) {
	for _, c := range []struct {
		name  string
		of    func(i int) []observation.Part
		want  string
		broke bool
	}{
		{
			"a request id",
			func(i int) []observation.Part {
				return []observation.Part{part("service", "s1"), part("request", fmt.Sprintf("7f9c24e5-2f3a-4d1b-9c3e-%012x", i))}
			},
			"breach identifies_requests request", true,
		},
		{
			"a request id that each lasts ten polls",
			func(i int) []observation.Part {
				return []observation.Part{part("service", "s1"), part("request", fmt.Sprintf("01HZX3V8Q4T9W2K7%010d", i/10))}
			},
			"breach identifies_requests request", true,
		},
		{
			"a number that every observation counts up",
			func(i int) []observation.Part {
				return []observation.Part{part("service", "s1"), part("seq", fmt.Sprint(1000+i))}
			},
			"breach identifies_requests seq", true,
		},
		{
			"a time",
			func(i int) []observation.Part {
				return []observation.Part{part("service", "s1"), part("title", "failed at "+minute(i%3).Format(time.RFC3339))}
			},
			"breach time_in_key title", true,
		},
		{
			"issues come and go, as issues do",
			func(i int) []observation.Part {
				return []observation.Part{part("project", "checkout2"), part("issue", fmt.Sprint(6507376925+i/20))}
			},
			"warn grows issue", false,
		},
		{
			"hundreds a day are too many, whatever they are",
			func(i int) []observation.Part {
				return []observation.Part{part("project", "checkout2"), part("issue", fmt.Sprintf("grp%d-%d", i%2, i/8))}
			},
			"breach grows issue", true,
		},
		{
			"services are many, and all known soon",
			func(i int) []observation.Part {
				return []observation.Part{part("service", fmt.Sprintf("svc%d", i%40)), part("stage", "prod")}
			},
			"", false,
		},
		{
			"services are added, and stay",
			func(i int) []observation.Part {
				return []observation.Part{part("service", fmt.Sprintf("svc%d", i*7%(i/40+1))), part("stage", "prod")}
			},
			"", false,
		},
		{
			"a burst at the beginning is over",
			func(i int) []observation.Part {
				return []observation.Part{part("service", fmt.Sprintf("svc%d", min(i/10, 40))), part("stage", "prod")}
			},
			"", false,
		},
		{
			"an id that stays is an id",
			func(i int) []observation.Part {
				return []observation.Part{part("check", fmt.Sprintf("7f9c24e5-2f3a-4d1b-9c3e-%012x", i%40)), part("stage", "prod")}
			},
			"", false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustKeys(t, recorded(2000, c.of))
			if got := rules(r); got != c.want || r.Breached() != c.broke {
				t.Errorf("got %q, breached %t; want %q, %t\n%v", got, r.Breached(), c.want, c.broke, r.Findings)
			}
		})
	}
}

// Case S3, the other half: a part of type text is normalised before it is
// recorded, and then there is nothing to find.
func TestNormalisedPartsAreFine(t *testing.T) {
	r := mustKeys(t, recorded(2000, func(i int) []observation.Part {
		title := fmt.Sprintf("request %012x%04d failed at %s after %dms", i, i, minute(i).Format(time.RFC3339), i)
		return []observation.Part{part("service", "s1"), part("title", incident.Normalise(title))}
	}))
	if len(r.Findings) > 0 || r.Keys != 1 {
		t.Errorf("%d keys, %v", r.Keys, r.Findings)
	}
}

// Case S4: a key of only "checkout" lumps owners and stages together.
func TestKeysWarnsOfLumping(t *testing.T) {
	rows := func(yield func(trace.Row, error) bool) {
		for row, err := range recorded(60, func(int) []observation.Part { return []observation.Part{part("service", "checkout")} }) {
			n := int(row.Tick.Sub(noon) / time.Minute)
			row.Owner = []string{"shooter", "puzzle"}[n%2]
			row.Evidence.Stage = []string{"prod", "staging", "prod"}[n%3]
			row.Evidence.VendorID = fmt.Sprint(n)
			if !yield(row, err) {
				return
			}
		}
	}
	r := mustKeys(t, rows)
	if got, want := rules(r), "warn one_part ; warn several_groups ; warn several_owners ; warn several_stages "; got != want || r.Breached() {
		t.Errorf("got %q, breached %t, want %q", got, r.Breached(), want)
	}
	for _, f := range r.Findings {
		if f.Key != "k1/error/service=checkout" {
			t.Errorf("the key is not named: %+v", f)
		}
	}
}

// TestTheVendorsOwnIdIsNotThin: generic-json makes a key of one part, of what the
// API itself tells its items apart by. Where that is a mere word it may still be
// what many of them share: case S4.
func TestTheVendorsOwnIdIsNotThin(t *testing.T) {
	for _, c := range []struct {
		name, value, vendorID string
		thin                  bool
	}{
		{"id", "payments-db/eu-west", "payments-db/eu-west", false},
		{"id", "Card payments EU", "Card payments EU", false},
		{"id", "checkout", "checkout", true},
		{"service", "checkout", "", true},
		{"service", "checkout-api", "", true},
		{"service", "checkout-api", "ISSUE-1", true},
		{"id", "zahlungsübersicht", "zahlungsübersicht", true},
	} {
		r := mustKeys(t, func(yield func(trace.Row, error) bool) {
			for row, err := range recorded(3, func(int) []observation.Part { return []observation.Part{part(c.name, c.value)} }) {
				row.Evidence.VendorID = c.vendorID
				if !yield(row, err) {
					return
				}
			}
		})
		if got := rules(r) == "warn one_part "; got != c.thin || len(r.Findings) > 1 {
			t.Errorf("%+v: got %v", c, r.Findings)
		}
	}
}

func TestASourcesOwnKeyIsNotThin(t *testing.T) {
	r := mustKeys(t, recorded(3, func(int) []observation.Part { return []observation.Part{part("source", "sentry")} }))
	if len(r.Findings) > 0 {
		t.Errorf("got %v", r.Findings)
	}
}

// A trace of keys alone is read part by part, and a key that is no one's as one.
func TestPartsAreReadFromTheKey(t *testing.T) {
	r := mustKeys(t, line("k1/metric/service=a%2Fb/stage=prod", "FF", ""))
	if len(r.Parts) != 2 || r.Parts[0].Kind != "metric" || r.Parts[0].Part != "service" || r.Parts[0].Examples[0] != "a/b" {
		t.Errorf("got %+v", r.Parts)
	}
	r = mustKeys(t, line("checkout", "FF", ""))
	if len(r.Parts) != 1 || r.Parts[0].Examples[0] != "checkout" || rules(r) != "warn one_part " {
		t.Errorf("got %+v, %s", r.Parts, rules(r))
	}
}

func TestKeysBounds(t *testing.T) {
	n := maxKept + 10
	rows := func(yield func(trace.Row, error) bool) {
		for i := range n {
			row := trace.Row{Observation: observation.Observation{IncidentKey: fmt.Sprintf("key-%c%d", 'a'+i%2, i), Tick: minute(i)}}
			if !yield(row, nil) {
				return
			}
		}
	}
	r := mustKeys(t, rows)
	if r.Keys != maxKept || !strings.Contains(rules(r), "breach too_many_keys") || !strings.Contains(rules(r), "breach too_many_values") {
		t.Errorf("%d keys, %s", r.Keys, rules(r))
	}
	if len(r.Parts[0].Examples) != DefaultKeyLimits().Examples {
		t.Errorf("examples: got %q", r.Parts[0].Examples)
	}
}

func TestKeysCommand(t *testing.T) {
	var text bytes.Buffer
	w := trace.NewWriter(&text)
	for row := range recorded(100, func(i int) []observation.Part {
		return []observation.Part{part("service", "s1"), part("id", fmt.Sprintf("%08x%08d", i*7919, i))}
	}) {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := write(t, "recorded.jsonl", text.String())
	stdout, _ := run(t, keysIn, exitBreach, path)
	for _, want := range []string{"100 observations of 100 keys", "{hex} 80 {n} 100", "breach [identifies_requests] part id of kind error"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	stdout, _ = run(t, keysIn, exitBreach, "--json", path)
	var r KeyReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || r.Keys != 100 || len(r.Findings) != 1 {
		t.Errorf("%v: %+v", err, r)
	}
	stdout, _ = run(t, keysIn, exitOK, vendorGaps)
	if !strings.Contains(stdout, "warning [one_part] k1/error/service=mail") {
		t.Errorf("got\n%s", stdout)
	}
	run(t, keysIn, exitBreach, "--strict", vendorGaps)
	run(t, keysIn, exitBreach, "--max-keys", "0", vendorGaps)
	run(t, keysIn, exitUsage)
	run(t, keysIn, exitUsage, "--recorded")
	empty := write(t, "empty.csv", "tick,key,verdict\n")
	if stdout, _ = run(t, keysIn, exitOK, empty); !strings.Contains(stdout, "No observation is there to judge keys by.") || strings.Contains(stdout, "object") {
		t.Errorf("of nothing it says\n%s", stdout)
	}
	run(t, keysIn, exitUsage, "missing.jsonl")
	good := write(t, "good.csv", "tick,key,verdict\n2026-01-02T12:00:00Z,k1/error/service=a/stage=prod,failing\n")
	stdout, _ = run(t, keysIn, exitOK, "--strict", good)
	if !strings.Contains(stdout, "Nothing to object to.") {
		t.Errorf("got\n%s", stdout)
	}
}
