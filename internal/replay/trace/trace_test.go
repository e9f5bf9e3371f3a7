package trace

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/observation"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func collect(rows Rows) ([]Row, error) {
	var all []Row
	for row, err := range rows {
		if err != nil {
			return all, err
		}
		all = append(all, row)
	}
	return all, nil
}

func TestCSV(t *testing.T) {
	text := "\ufefftick, key ,verdict,truth,owner,source,missing\n" +
		"# a remark\n" +
		"2026-01-02T12:00:00Z,k,failing,failing,team,sentry,\n" +
		"2026-01-02T13:01:00+01:00,k,healthy,,team,sentry,true\n"
	got, err := collect(CSV("t.csv", strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{Observation: observation.Observation{IncidentKey: "k", Source: "sentry", Owner: "team", Tick: noon, Verdict: observation.Failing}, Truth: observation.Failing},
		{Observation: observation.Observation{IncidentKey: "k", Source: "sentry", Owner: "team", Tick: noon.Add(time.Minute), Verdict: observation.Healthy, Missing: true}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestJSONL(t *testing.T) {
	text := `{"tick":"2026-01-02T12:00:00Z","kind":"error","parts":[{"name":"a","value":"b/c"}],"verdict":"failing","stage":"prod","group":"42","repeat":3,"every":"90s"}` +
		"\n\n" + `{"tick":"2026-01-02T12:00:00Z","key":"k","verdict":"unknown"}` + "\n"
	got, err := collect(JSONL("t.jsonl", strings.NewReader(text)))
	if err != nil || len(got) != 4 {
		t.Fatalf("%d rows, %v; want 4", len(got), err)
	}
	last := got[2]
	if last.IncidentKey != "k1/error/a=b%2Fc" || !last.Tick.Equal(noon.Add(3*time.Minute)) || last.Evidence.Stage != "prod" || last.Evidence.VendorID != "42" {
		t.Errorf("the third row: %+v", last)
	}
	if got[3].IncidentKey != "k" || got[3].Verdict != observation.Unknown {
		t.Errorf("the fourth row: %+v", got[3])
	}
}

// A line that cannot be used is named by file and line, and by what to do.
func TestBadLines(t *testing.T) {
	const head = "tick,key,verdict,truth,repeat,every,missing\n2026-01-02T12:00:00Z,k,failing,,,,\n"
	for _, c := range []struct{ text, at, says string }{
		{"", "x.csv:1:", "empty"},
		{"tick,key\n", "x.csv:1:", `"verdict" is missing`},
		{"tick,key,verdict,colour\n", "x.csv:1:", `"colour" is not known`},
		{"tick,key,verdict,key\n", "x.csv:1:", "twice"},
		{head + "yesterday,k,failing,,,,\n", "x.csv:3:", "RFC 3339"},
		{head + "2026-01-02T12:00:00Z,k,broken,,,,\n", "x.csv:3:", "want failing, healthy or unknown"},
		{head + "\n2026-01-02T12:00:00Z,k,failing,unknown,,,\n", "x.csv:4:", "truth"},
		{head + "2026-01-02T12:00:00Z,,failing,,,,\n", "x.csv:3:", "key is empty"},
		{head + "2026-01-02T12:00:00Z,k,failing,,2,,\n", "x.csv:3:", "every"},
		{head + "2026-01-02T12:00:00Z,k,failing,,-2,1m,\n", "x.csv:3:", "repeat"},
		{head + "2026-01-02T12:00:00Z,k,failing,,two,1m,\n", "x.csv:3:", `repeat "two"`},
		{head + "2026-01-02T12:00:00Z,k,failing,,,,maybe\n", "x.csv:3:", `missing "maybe"`},
		{head + "2026-01-02T12:00:00Z,k\n", "x.csv:3:", "wrong number of fields"},
		{head + "\"2026\n", "x.csv:3:", "quote"},
	} {
		rows, err := collect(CSV("x.csv", strings.NewReader(c.text)))
		if err == nil || !strings.HasPrefix(err.Error(), c.at) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: got %v, want %s … %s", c.text, err, c.at, c.says)
		}
		if len(rows) > 1 {
			t.Errorf("%q: %d rows, some from after the error", c.text, len(rows))
		}
	}
	const good = `{"tick":"2026-01-02T12:00:00Z","key":"k","verdict":"failing"}` + "\n"
	for _, c := range []struct{ text, says string }{
		{`{"tick":`, "JSON"},
		{`{"tick":"2026-01-02T12:00:00Z","key":"k","verdct":"failing"}`, "verdct"},
		{`{"tick":"2026-01-02T12:00:00Z","key":"k","verdict":"failing"} {}`, "more than one"},
		{`{"tick":"2026-01-02T12:00:00Z","verdict":"failing"}`, "key is empty"},
		{`{"tick":"2026-01-02T12:00:00Z","verdict":"failing","kind":"e","parts":[{"name":"a","value":""}]}`, `"a" is missing`},
		{`[]`, "JSON"},
		{strings.Repeat("x", maxLine+1), "token too long"},
	} {
		_, err := collect(JSONL("x.jsonl", strings.NewReader(good+c.text)))
		at := "x.jsonl:2:"
		if len(c.text) > maxLine {
			at = "x.jsonl:1: read the next line"
		}
		if err == nil || !strings.HasPrefix(err.Error(), at) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.80q: got %v, want %s … %s", c.text, err, at, c.says)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	csvText := "tick,key,verdict\n2026-01-02T12:00:00Z,one,failing\n"
	jsonText := `{"tick":"2026-01-02T12:00:00Z","key":"two","verdict":"healthy"}` + "\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(jsonText))
	z.Close()
	for name, text := range map[string]string{"a.csv": csvText, "b.jsonl.gz": packed.String(), "bad.gz": "x", "c.txt": "x", "d.csv.gz": csvText} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := Files{Paths: []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.jsonl.gz")}}
	for range 2 {
		rows, err := collect(f.Rows())
		if err != nil || len(rows) != 2 || rows[0].IncidentKey != "one" || rows[1].IncidentKey != "two" {
			t.Fatalf("%+v, %v", rows, err)
		}
	}
	if size, err := f.Size(); err != nil || 2*size != f.Read.Load() {
		t.Errorf("size %d, %v; read %d bytes in two passes", size, err, f.Read.Load())
	}
	for _, name := range []string{"missing.csv", "c.txt", "d.csv.gz"} {
		bad := Files{Paths: []string{filepath.Join(dir, name)}}
		if _, err := collect(bad.Rows()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// What Writer writes, JSONL reads back, whatever was folded into one line.
func TestWriterRoundTrip(t *testing.T) {
	row := rapid.Custom(func(t *rapid.T) Row {
		r := Row{Truth: rapid.SampledFrom([]observation.Verdict{"", observation.Failing, observation.Healthy}).Draw(t, "truth")}
		r.IncidentKey = rapid.SampledFrom([]string{"k1/error/a=b", "k1/error/a=c"}).Draw(t, "key")
		r.Verdict = rapid.SampledFrom([]observation.Verdict{observation.Failing, observation.Healthy, observation.Unknown}).Draw(t, "verdict")
		r.Missing, r.Unseen = rapid.Bool().Draw(t, "missing"), rapid.Bool().Draw(t, "unseen")
		if rapid.Bool().Draw(t, "described") {
			r.Kind, r.Parts = "error", []observation.Part{{Name: "a", Value: "<b> & \"c\""}}
			r.Evidence.Stage, r.Evidence.VendorID, r.Summary, r.Owner, r.Source, r.Status = "prod", "42", "it broke", "team", "src", "firing"
		}
		r.Tick = noon.Add(time.Duration(rapid.IntRange(-1, 2).Draw(t, "step")) * time.Minute)
		return r
	})
	rapid.Check(t, func(t *rapid.T) {
		var want []Row
		var text bytes.Buffer
		w := NewWriter(&text)
		now := noon
		for _, r := range rapid.SliceOf(row).Draw(t, "rows") {
			for range rapid.IntRange(1, 3).Draw(t, "times") {
				now = now.Add(r.Tick.Sub(noon))
				again := r
				again.Tick = now
				want = append(want, again)
				if err := w.Write(again); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		written := text.String()
		got, err := collect(JSONL("t", &text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v\n%s\ngot  %+v\nwant %+v", err, written, got, want)
		}
	})
}

func TestWriterFoldsRepeats(t *testing.T) {
	var text bytes.Buffer
	w := NewWriter(&text)
	for n := range 1440 {
		r := Row{Observation: observation.Observation{IncidentKey: "k", Tick: noon.Add(time.Duration(n) * time.Minute), Verdict: observation.Healthy}}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := `{"tick":"2026-01-02T12:00:00Z","key":"k","verdict":"healthy","repeat":1440,"every":"1m0s"}` + "\n"
	if text.String() != want {
		t.Errorf("got %s", text.String())
	}
}

func TestOf(t *testing.T) {
	obs := []observation.Observation{{IncidentKey: "a"}, {IncidentKey: "b"}}
	rows, err := collect(Of(obs))
	if err != nil || len(rows) != 2 || rows[1].IncidentKey != "b" {
		t.Errorf("%v, %v", rows, err)
	}
}

func FuzzJSONL(f *testing.F) {
	f.Add(`{"tick":"2026-01-02T12:00:00Z","key":"k","verdict":"failing","repeat":2,"every":"1m"}`)
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		for _, err := range JSONL("t", strings.NewReader(text)) {
			if n++; err != nil || n > 100 {
				return
			}
		}
	})
}
