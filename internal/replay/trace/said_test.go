package trace_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay/trace"
)

// What people said, and the ends of silences, are written and read back, and are
// not taken for a row of equal observations.
func TestWhatWasSaidIsKept(t *testing.T) {
	at := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	var rows []trace.Row
	for i, said := range []incident.Action{"", incident.Ack, incident.Ack, incident.Unack, incident.SilenceEnded, ""} {
		r := trace.Row{Said: said, By: "alice"}
		r.IncidentKey, r.Source, r.Tick, r.Verdict = "k", "s", at.Add(time.Duration(i)*time.Minute), observation.Unknown
		if said == "" {
			r.By, r.Verdict = "", observation.Failing
		}
		rows = append(rows, r)
	}
	var b bytes.Buffer
	w := trace.NewWriter(&b)
	for _, r := range rows {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var got []trace.Row
	for r, err := range trace.JSONL("said", &b) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if diff := cmp.Diff(rows, got); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
	if d := got[4].Decision(); d.Reason != "silence_ended silence=alice" || d.Tick != rows[4].Tick {
		t.Errorf("as a decision: %+v", d)
	}
}

func TestWhatCannotBeSaid(t *testing.T) {
	for line, want := range map[string]string{
		`{"tick":"2026-01-02T12:00:00Z","key":"k","said":"open"}`:                    `said "open": want ack, unack or silence_ended`,
		`{"tick":"2026-01-02T12:00:00Z","key":"k","said":"ack","verdict":"failing"}`: `said "ack": has a verdict, too`,
		`{"tick":"2026-01-02T12:00:00Z","key":"k"}`:                                  "verdict",
	} {
		for _, err := range trace.JSONL("t", strings.NewReader(line)) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", line, err, want)
			}
		}
	}
	for r, err := range trace.CSV("t", strings.NewReader("tick,key,verdict,said,by\n2026-01-02T12:00:00Z,k,,ack,alice\n")) {
		if err != nil || r.Said != incident.Ack || r.By != "alice" {
			t.Errorf("from CSV: %+v, %v", r, err)
		}
	}
}
