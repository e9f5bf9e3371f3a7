package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/engine"
	"github.com/ringonce/ringonce/internal/local/template"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/report"
)

const testKey = "k1/error/issue=42"

// told makes a state directory with one open incident, told to nobody yet, over
// a running engine.
func told(t *testing.T) (dir string, running *engine.Engine) {
	t.Helper()
	dir = t.TempDir()
	e, err := engine.Start(t.Context(), engine.Options{DBPath: filepath.Join(dir, "tables.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop() })
	parsed, err := template.Load("../../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	described, err := parsed.Stack("ringonce", nil)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := described.Tables()
	if err != nil {
		t.Fatal(err)
	}
	client := dynamodb.NewFromConfig(e.Config())
	if err := template.Create(t.Context(), client, tables); err != nil {
		t.Fatal(err)
	}
	fill(t, dynamo.New(client, dynamo.Tables{
		Observations: "ringonce-observations", Incidents: "ringonce-incidents",
		Outbox: "ringonce-outbox", Operations: "ringonce-operations",
	}))
	return dir, e
}

func fill(t *testing.T, s *dynamo.Store) {
	t.Helper()
	tick := time.Now().UTC().Truncate(time.Minute).Add(-time.Minute)
	o := observation.Observation{
		IncidentKey: testKey, Kind: "error", Parts: []observation.Part{{Name: "issue", Value: "42"}},
		Source: "sentry", Tick: tick, Verdict: observation.Failing, Owner: "checkout", Summary: "Payment fails",
	}
	if _, err := s.PutObservation(t.Context(), o, time.Time{}); err != nil {
		t.Fatal(err)
	}
	p := incident.DefaultPolicy()
	next, action, reason := incident.Decide(incident.State{Key: testKey}, o, p)
	next.DecisionSeq = 1
	d := incident.Decision{
		IncidentKey: testKey, Seq: 1, Episode: 1, Sequence: 1, Action: action, Reason: reason.String(), Tick: tick,
		Source: o.Source, PolicyHash: p.Hash(), ConfigHash: "c1-test", DecidedAt: tick,
	}
	out := delivery.Delivery{
		ID: delivery.ID("", testKey, 1, 1, "slack"), IncidentKey: testKey, Episode: 1, Sequence: 1, Action: action, Destination: "slack",
		Channel: "slack_webhook", Owner: "checkout", CostCenter: "CC-1", Source: o.Source, Tick: tick, CreatedAt: tick,
		State: delivery.Pending, DueAt: tick,
	}
	if err := s.Commit(t.Context(), next, d, []delivery.Delivery{out}); err != nil {
		t.Fatal(err)
	}
}

// TestStoredStateIsReadWhereverItIs: while a run holds the state, when none does,
// and at an endpoint under a stack's name, as in AWS.
func TestStoredStateIsReadWhereverItIs(t *testing.T) {
	dir, e := told(t)
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if got := ringonce(nil, "list", "--state", dir); got.code != exitProblems || !strings.Contains(got.stderr, "is in use by a process that cannot be asked") {
		t.Errorf("a run that says nothing of itself: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "endpoint"), []byte(e.Endpoint+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("beside a run", func(t *testing.T) { readsTheState(t, nil, "--state", dir) })
	t.Run("at an endpoint", func(t *testing.T) {
		t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", e.Endpoint)
		t.Setenv("AWS_ACCESS_KEY_ID", "local")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
		t.Setenv("AWS_REGION", "eu-central-1")
		readsTheState(t, nil, "--stack", "ringonce")
		readsTheState(t, map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": e.Endpoint})
		if got := ringonce(nil, "list", "--stack", "other"); got.code != exitProblems || got.stdout != "" {
			t.Errorf("a stack that is not there: %+v", got)
		}
	})
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	lock.Close()
	t.Run("when nothing runs", func(t *testing.T) { readsTheState(t, nil, "--state", dir) })
}

func readsTheState(t *testing.T, env map[string]string, where ...string) {
	t.Helper()
	got := ringonce(env, append(append([]string{"explain"}, where...), "--json", "k1/error")...)
	var rep explain.Report
	if err := json.Unmarshal([]byte(got.stdout), &rep); err != nil || got.code != exitOK || rep.Key != testKey || len(rep.Timeline) != 1 {
		t.Errorf("explain: %+v, %v", got, err)
	}
	for command, want := range map[string]string{
		"list":   "checkout  sentry  1 ",
		"status": "slack        1",
		"usage":  "month  owner",
		"report": "1 incidents, 1 of them opened",
	} {
		if got := ringonce(env, append([]string{command}, where...)...); !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %+v, want %q", command, got, want)
		}
	}
}

// TestExplainOnTheCommandLine: what it writes where.
func TestExplainOnTheCommandLine(t *testing.T) {
	dir, e := told(t)
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "page.html")
	if got := ringonce(nil, "explain", "--state", dir, "--html", page, testKey); got.code != exitOK || !strings.HasPrefix(got.stdout, page) {
		t.Errorf("a page: %+v", got)
	}
	data, err := os.ReadFile(page)
	if err != nil || !strings.HasPrefix(string(data), "<!doctype html>") || !strings.Contains(string(data), testKey) {
		t.Errorf("the page: %v, %.100s", err, data)
	}
	if got := ringonce(nil, "explain", "--state", dir, delivery.ID("", testKey, 1, 1, "slack")); !strings.Contains(got.stdout, "OPEN 1.1") {
		t.Errorf("by a delivery id: %+v", got)
	}
	if got := ringonce(nil, "explain", "--state", dir, "nothing like it"); got.code != exitProblems || !strings.Contains(got.stderr, "no incident has this key, prefix, delivery id or vendor id; `ringonce list --status all` lists them") {
		t.Errorf("what is not there: %+v", got)
	}
	if got := ringonce(nil, "usage", "--state", dir, "--csv", "--by", "owner", "--check"); got.stdout != "owner,attempted,delivered,repeated,held,dead,digested,cost,currency\n" || !strings.Contains(got.stderr, "add up to the ledger exactly") {
		t.Errorf("usage: %+v", got)
	}
	if got := ringonce(nil, "usage", "--state", dir, "--from", "2020-01-01", "--to", "2020-01-31", "--check"); got.code != exitOK ||
		!strings.Contains(got.stderr, "2020-01-01 to 2020-01-31 cannot be checked: messages of those days have expired (retention.deliveries 400d)") {
		t.Errorf("usage of long ago: %+v", got)
	}
	if got := ringonce(nil, "explain", "--state", dir, "--episode", "7", testKey); got.code != exitProblems || !strings.Contains(got.stderr, "nothing is stored of episode 7 of "+testKey+"; the newest is 1") || got.stdout != "" {
		t.Errorf("an episode that is not there: %+v", got)
	}
	for args, want := range map[string]string{
		"--owner chekout": `there is no owner "chekout"`, "--source sentry-checkuot": `there is no source "sentry-checkuot" (did you mean "sentry-checkout"?)`,
		"--owner payments": "", "--owner chekout --json": `there is no owner "chekout"`,
	} {
		got := ringonce(nil, append([]string{"list", "--state", dir, "--config", example}, strings.Fields(args)...)...)
		if got.code != exitOK || !holds(got.stderr, want) || got.stdout == "" {
			t.Errorf("list %s: %+v, want %q", args, got, want)
		}
	}
	for status, want := range map[string]string{
		"resolved": "No incident is like that; `ringonce list --status all` lists the others.\n", "all --source x": "No incident is like that.\n",
	} {
		if got := ringonce(nil, append([]string{"list", "--state", dir, "--status"}, strings.Fields(status)...)...); got.stdout != want {
			t.Errorf("list --status %s: %+v, want %q", status, got, want)
		}
	}
	if got := ringonce(nil, "list", "--state", dir, "--owner", "chekout"); got.stderr != "" {
		t.Errorf("without the configuration nothing can be said of a name: %+v", got)
	}
	for config, want := range map[string]string{"": "name it with --config", example: ""} {
		got := ringonce(nil, "usage", "--state", dir, "--by", "owner", "--config", config)
		if !holds(got.stderr, want) || strings.Contains(got.stdout, "cost") != (want == "") {
			t.Errorf("usage with the configuration %q: %+v", config, got)
		}
	}
}

// TestReportOnTheCommandLine: as JSON, with what it read and what it cost.
func TestReportOnTheCommandLine(t *testing.T) {
	dir, e := told(t)
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	got := ringonce(nil, "report", "--state", dir, "--config", example, "--json")
	var rep report.Report
	if err := json.Unmarshal([]byte(got.stdout), &rep); err != nil || got.code != exitOK {
		t.Fatalf("%v, %+v", err, got)
	}
	// A scan, a query for the polls of each configured source, one of the log and
	// one of the messages, one of what is told about the destination; and one for
	// the evidence, which the message does not have.
	if r := rep.Reads; r.Requests != 5+len(rep.Sources) || r.Units <= 0 || r.Incidents != 1 || r.Observations != 1 {
		t.Errorf("%d sources, read %+v", len(rep.Sources), r)
	}
	if w := rep.Whole; w.Whole != 0 || len(w.Not) != 1 || strings.Join(w.Not[0].Parts, ",") != report.PartLink {
		t.Errorf("%+v", w)
	}
	if got := ringonce(nil, "report", "--state", dir, "--from", "2026-01-01", "--to", "2026-01-31"); got.code != exitOK || !strings.Contains(got.stdout, "From 2026-01-01 00:00 UTC to 2026-01-31 23:59 UTC: 0 incidents") {
		t.Errorf("a month: %+v", got)
	}
}

// TestAReportEndsNow: nothing is known of what is yet to come.
func TestAReportEndsNow(t *testing.T) {
	now := time.Date(2026, 3, 3, 10, 20, 0, 0, time.UTC)
	for _, c := range []struct {
		from, to, last string
		early          bool
	}{
		{"2026-03-01", "2026-03-02", "2026-03-02 23:59:59", false},
		{"2026-03-01", "2026-03-03", "2026-03-03 10:20:00", true},
		{"2026-03-01", "2026-04-03T00:00:00Z", "2026-03-03 10:20:00", true},
		{"2026-03-01", "2026-03-03T10:20:00Z", "2026-03-03 10:20:00", false},
		{"2026-03-01", "", "2026-03-03 10:20:00", false},
		{"", "", "2026-03-03 10:20:00", false},
	} {
		_, last, early, err := measured(c.from, c.to, now)
		if got := last.Format(time.DateTime); err != nil || got != c.last || early != c.early {
			t.Errorf("from %q to %q it ends at %s, early %v, %v; want %s, %v", c.from, c.to, got, early, err, c.last, c.early)
		}
	}
	dir, e := told(t)
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	got := ringonce(nil, "report", "--state", dir, "--from", "2026-01-01", "--to", "2100-01-01")
	if got.code != exitOK || !strings.Contains(got.stderr, "--to 2100-01-01 is not past yet: the report ends now, at ") || strings.Contains(got.stdout, "2100") {
		t.Errorf("%+v", got)
	}
}

func TestMisusedReaders(t *testing.T) {
	for args, want := range map[string]string{
		"explain":                    "say which incident",
		"explain --json --html f k1": "--json and --html cannot go together",
		"explain --episode -1 k1":    "--episode -1: episodes are numbered from 1; 0 is all",
		"deliveries --status lost":   `there is no state "lost"; use one of pending, sending, unknown, delivered, held, superseded, dead, silenced`,
		"usage --from 2026-01-01T10:00:00Z --to 2026-01-02": `"2026-01-01T10:00:00Z" is no day: write it as 2026-01-02`,
		"usage --from 2026-01-01 --to 2026-01-01T10:00:00Z": `"2026-01-01T10:00:00Z" is no day: write it as 2026-01-02`,
		"explain --from yesterday k1":                       `"yesterday" is no time`,
		"explain --from 2026-01-02 --to 2026-01-01 k1":      "--to 2026-01-01 is before --from 2026-01-02",
		"list --status loud":                                `there is no status "loud": use some of open, flapping`,
		"list --older-than soon":                            "want a number with a unit",
		"usage --by incident":                               `usage cannot be told by "incident": use some of month, day, owner`,
		"usage --csv --json":                                "--csv and --json cannot go together",
		"usage --month 2026-13":                             `"2026-13" is no month`,
		"usage --month 2026-01 --to 2026-01-01":             "cannot go together",
		"usage --from 2026-01-01":                           "give both --from and --to",
		"report --to 2026-01-02":                            "give --from as well",
		"report --from yesterday":                           `"yesterday" is no time`,
		"report --from 2100-01-01":                          "--from 2100-01-01 has not come yet",
		"report --from 2100-01-01 --to 2100-01-02":          "--from 2100-01-01 has not come yet",
		"status now":                                        `"now" is one argument too many`,
	} {
		if got := ringonce(nil, strings.Fields(args)...); got.code != exitUsage || !strings.Contains(got.stderr, want) || got.stdout != "" {
			t.Errorf("ringonce %s: %+v, want %q", args, got, want)
		}
	}
	for _, args := range [][]string{{"explain", ""}, {"ack", "--author", "alice", " "}} {
		if got := ringonce(nil, args...); got.code != exitUsage || !strings.Contains(got.stderr, "say which incident") {
			t.Errorf("ringonce %q: %+v", args, got)
		}
	}
	if got := ringonce(nil, "explain", "--state", t.TempDir(), "k1"); got.code != exitProblems || !strings.Contains(got.stderr, "there is no state in") {
		t.Errorf("an empty directory: %+v", got)
	}
	if got := ringonce(map[string]string{"RINGONCE_CONFIG": "no-such.yaml"}, "list", "--state", t.TempDir()); got.code != exitProblems || !strings.Contains(got.stderr, "$RINGONCE_CONFIG: configuration no-such.yaml does not exist") {
		t.Errorf("a variable that names a configuration that is not there: %+v", got)
	}
	if got := ringonce(nil, "list", "--state", t.TempDir(), "--config", "no-such.yaml"); got.code != exitProblems || !strings.Contains(got.stderr, "no-such.yaml does not exist") {
		t.Errorf("a configuration that is not there: %+v", got)
	}
}
