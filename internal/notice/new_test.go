package notice_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/sendertest"
)

// told folds verdicts, one a minute from noon, and returns the notices of the decisions
// with an action.
func told(t *testing.T, p incident.Policy, verdicts string) []notice.Notice {
	t.Helper()
	s := incident.State{Key: "k1/error/a=b"}
	var out []notice.Notice
	for i, v := range verdicts {
		o := observation.Observation{
			IncidentKey: s.Key, Kind: "error", Source: "source", Summary: "failed " + string('a'+rune(i)),
			Tick: at(t, "2026-01-02 12:00").Add(time.Duration(i) * time.Minute), Verdict: observation.Failing,
			Evidence: observation.Evidence{Count: int64(i + 1)},
		}
		if v != 'F' {
			o.Verdict, o.Missing, o.Summary, o.Evidence = observation.Healthy, v == 'M', "", observation.Evidence{}
		}
		var a incident.Action
		var r incident.Reason
		s, a, r = incident.Decide(s, o, p)
		if a != incident.None {
			out = append(out, notice.New(notice.Input{
				State: s, Observation: o, Action: a, Reason: r, Policy: p, Environment: "production",
				Owner: "payments", CostCenter: "CC-1", OperatorAction: "Look.", DeliveryID: "d1-x",
			}))
		}
	}
	return out
}

// A whole episode, through the same function that decides in production.
func TestNewTellsAnEpisode(t *testing.T) {
	p := incident.DefaultPolicy()
	p.FailingRequired, p.Cooldown = 2, 3*time.Minute
	for end, want := range map[string]struct {
		headline, why string
		missing       bool
	}{
		"H": {"RESOLVED in production", "resolved after 2 healthy polls in a row", false},
		"M": {"NO LONGER REPORTED in production", "no longer reported by a complete listing; 2 polls in a row without a failure", true},
	} {
		got := told(t, p, "FFFFF"+end+end)
		if len(got) != 3 {
			t.Fatalf("%d notices, want open, remind, resolve: %+v", len(got), got)
		}
		open, remind, resolve := got[0], got[1], got[2]
		since := at(t, "2026-01-02 12:00")
		for _, n := range got {
			if !n.Since.Equal(since) || n.Title != "failed b" || n.Owner != "payments" || n.IncidentKey != "k1/error/a=b" || n.Episode != 1 {
				t.Errorf("%s: %+v", n.Action, n)
			}
		}
		if open.Headline() != "FAILING in production" || open.Summary != "failed b" || open.Sequence != 1 ||
			!open.NextReminder.Equal(since.Add(4*time.Minute)) || !open.Until.IsZero() {
			t.Errorf("open: %+v", open)
		}
		if remind.Headline() != "STILL FAILING in production" || remind.Reminder != 1 || remind.Summary != "failed e" || remind.Evidence.Count != 5 {
			t.Errorf("remind: %+v", remind)
		}
		if resolve.Headline() != want.headline || resolve.Why != want.why || resolve.Missing != want.missing ||
			!resolve.Until.Equal(since.Add(6*time.Minute)) || !resolve.NextReminder.IsZero() || resolve.Summary != "failed e" || resolve.Reminder != 0 {
			t.Errorf("resolve: %+v", resolve)
		}
	}
}

// A notice survives its encoding as JSON in the outbox.
func TestNoticeSurvivesTheOutbox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := sendertest.AnyNotice(t)
		e := observation.Evidence(drawn.Evidence)
		n := notice.New(notice.Input{
			State:       incident.State{Key: "k", Title: drawn.Title, Summary: drawn.Summary, Evidence: e, StreakStart: drawn.Since},
			Observation: observation.Observation{Tick: drawn.Tick},
		})
		stored, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		var back notice.Notice
		if err := json.Unmarshal(stored, &back); err != nil {
			t.Fatal(err)
		}
		if len(n.Evidence.Samples) == 0 {
			n.Evidence.Samples, back.Evidence.Samples = nil, nil
		}
		if !reflect.DeepEqual(n, back) {
			t.Fatalf("%+v\n%+v", n, back)
		}
	})
	for _, e := range sendertest.Examples() {
		stored, err := json.Marshal(e.Notice)
		if err != nil {
			t.Fatal(err)
		}
		var back notice.Notice
		if err := json.Unmarshal(stored, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back.Words(), e.Notice.Words()) {
			t.Errorf("%s: it says something else afterwards", e.Name)
		}
	}
}

func TestSubjectIsOneLineAndNeverEmpty(t *testing.T) {
	for _, e := range sendertest.Examples() {
		if s := e.Notice.Subject(); s == "" || notice.OneLine(s) != s {
			t.Errorf("%s: subject %q", e.Name, s)
		}
	}
	if s := (notice.Notice{}).Subject(); s == "" {
		t.Error("an empty notice has no subject")
	}
}

// case D4: a message says that it may be a repeat exactly if it may be one.
func TestARepeatSaysSo(t *testing.T) {
	n := sendertest.Examples()[0].Notice
	if r := n.Words().Repeat; r != "" {
		t.Errorf("a first message says %q", r)
	}
	n.MayBeRepeat = true
	if r := n.Words().Repeat; r != "This may be a repeat of an earlier message with the same delivery id." {
		t.Errorf("a repeat says %q", r)
	}
}
