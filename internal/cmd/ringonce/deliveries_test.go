package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

var morning = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// outbox holds a message of each state that a person may ask for.
func outbox(t *testing.T) *memory.Store {
	t.Helper()
	s := memory.New()
	for i, st := range []delivery.State{delivery.Held, delivery.Dead, delivery.Delivered} {
		d := delivery.Delivery{
			ID: "d1-" + string(st), IncidentKey: "k1/error/n=" + string(st), Episode: 1, Sequence: 1, Action: incident.Remind,
			Destination: "slack", State: st, CreatedAt: morning.Add(time.Duration(i) * time.Minute), Note: "because",
			Attempts: []delivery.Attempt{{Class: delivery.Ambiguous, Status: 502, Code: "http_502"}},
		}
		if err := s.Commit(t.Context(), incident.State{Key: d.IncidentKey}, incident.Decision{IncidentKey: d.IncidentKey, Seq: 1}, []delivery.Delivery{d}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestDeliveriesAreListed(t *testing.T) {
	for name, c := range map[string]struct {
		held, dead bool
		state      string
		elsewhere  string
		want       string
		says       string
	}{
		"by default":     {false, false, "", "", "d1-held d1-dead", ""},
		"held":           {true, false, "", "", "d1-held", ""},
		"dead":           {false, true, "", "", "d1-dead", ""},
		"delivered":      {false, false, "delivered", "", "d1-delivered", ""},
		"of another":     {true, true, "", "mail", "", "No message to mail is held or dead.\n"},
		"of none so far": {false, false, "unknown", "", "", "No message is unknown.\n"},
	} {
		states, err := statesOf(c.held, c.dead, c.state)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := (asked{states: states, destination: c.elsewhere}).do(t.Context(), outbox(t), &out, morning); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "d1-") {
				ids = append(ids, strings.Fields(line)[0])
				if !strings.Contains(line, "ambiguous 502 http_502") || !strings.Contains(line, "because") {
					t.Errorf("%s: the line %q says neither answer nor note", name, line)
				}
			}
		}
		if c.want == "" && !strings.HasPrefix(out.String(), c.says) {
			t.Errorf("%s: says %q, want %q", name, out.String(), c.says)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if _, err := statesOf(false, false, "lost"); err == nil {
		t.Error("a state that does not exist was taken")
	}
}

func TestADeliveryIsResentOrClosed(t *testing.T) {
	s := outbox(t)
	do := func(a asked) (string, error) {
		var out bytes.Buffer
		err := a.do(t.Context(), s, &out, morning)
		return out.String(), err
	}
	if out, err := do(asked{resend: "d1-held"}); err != nil || !strings.Contains(out, "the next sweep sends it") {
		t.Errorf("resent: %q, %v", out, err)
	}
	if out, err := do(asked{close: "d1-dead"}); err != nil || !strings.Contains(out, "d1-dead is closed") {
		t.Errorf("closed: %q, %v", out, err)
	}
	for id, want := range map[string]string{
		"d1-held": "message d1-held is pending: only what is held or dead can be resent or closed", "d1-dead": "message d1-dead is superseded: ",
		"d1-delivered": "message d1-delivered is delivered", "d1-nothing": "there is no message d1-nothing: give the delivery id at its end",
	} {
		if _, err := do(asked{resend: id}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s was resent: %v, want %q", id, err, want)
		}
	}
	due, err := s.Due(t.Context(), morning, 9)
	if err != nil || len(due) != 1 || due[0].IncidentKey != "k1/error/n=held" {
		t.Errorf("due are %+v, %v", due, err)
	}
}

func TestRedriveJudgesWhatNobodyHasJudged(t *testing.T) {
	s := memory.New()
	cfg, err := loadChecked(call{stderr: &bytes.Buffer{}}, example)
	if err != nil {
		t.Fatal("the example is not usable")
	}
	source := cfg.Sources[0]
	o := observation.Observation{IncidentKey: "k1/error/a=b", Kind: "error", Source: source.ID, Tick: morning, Verdict: observation.Failing, Summary: "checkout is down"}
	if _, err := s.PutObservation(t.Context(), o, time.Time{}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for range 2 {
		if err := redrive(t.Context(), cfg, s, nil, morning.Add(-time.Hour), &out); err != nil {
			t.Fatal(err)
		}
	}
	if log, err := s.Decisions(t.Context(), o.IncidentKey); err != nil || len(log) != 1 || log[0].Action != incident.Open {
		t.Errorf("decided %+v, %v", log, err)
	}
	if got := out.String(); strings.Count(got, "Judged again: 1 observation of 1 incident.") != 2 {
		t.Errorf("said %q", got)
	}
}
