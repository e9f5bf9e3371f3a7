package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/engine"
	"github.com/ringonce/ringonce/internal/local/template"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/replay"
)

const (
	repository = "../../.."
	traces     = repository + "/testdata/traces/"
)

func TestReplayCommands(t *testing.T) {
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"backtest --help", exitOK, "Usage: ringonce backtest", ""},
		{"keys -h", exitOK, "Usage: ringonce keys", ""},
		{"eval --help", exitOK, "Usage: ringonce eval", ""},
		{"backtest", exitUsage, "", "which trace?"},
		{"backtest --quiet " + traces + "clean-outage.csv", exitOK, "from ../../../testdata/traces/clean-outage.csv", ""},
		{"backtest --quiet --live --config " + example + " " + traces + "clean-outage.csv", exitOK, "payments by ses: 2", ""},
		{"backtest --live --config no-such.yaml " + traces + "clean-outage.csv", exitUsage, "", "ringonce backtest: --live takes the policies of a configuration: there is no no-such.yaml: name yours with --config FILE or $RINGONCE_CONFIG"},
		{"backtest --live " + traces + "clean-outage.csv", exitUsage, "", "ringonce backtest: --live takes the policies of a configuration: there is no ringonce.yaml: name yours with --config FILE or $RINGONCE_CONFIG"},
		{"backtest --live --config " + bad + "names.yaml " + traces + "clean-outage.csv", exitUsage, "", "names.yaml is not usable: correct what is said above, or name another with --config\n"},
		{"backtest --recorded --state no-such-dir", exitUsage, "", "there is no state in no-such-dir: name the directory"},
		{"keys --recorded --state no-such-dir", exitUsage, "", "or a deployed stack with --stack"},
		{"keys --loud", exitUsage, "", "ringonce keys: flag provided but not defined: -loud; see `ringonce help keys`\n"},
		{"eval --loud", exitUsage, "", "ringonce eval: flag provided but not defined: -loud; see `ringonce help eval`\n"},
		{"backtest --quiet=maybe", exitUsage, "", "see `ringonce help backtest`\n"},
		{"keys " + traces + "flapping.jsonl", exitOK, "warning [one_part] k1/error/service=search", ""},
		{"keys --strict " + traces + "flapping.jsonl", exitBreach, "one_part", ""},
		{"keys --max-keys 0 " + traces + "flapping.jsonl", exitBreach, "keys", ""},
		{"eval --traces " + traces, exitOK, "all as", ""},
	} {
		got := ringonce(nil, strings.Fields(c.args)...)
		if got.code != c.code || !strings.Contains(got.stdout, c.stdout) || !holds(got.stderr, c.stderr) {
			t.Errorf("ringonce %s: %+v, want code %d, stdout with %q, stderr with %q", c.args, got, c.code, c.stdout, c.stderr)
		}
	}
	if _, err := os.Stat("no-such-dir"); err == nil {
		t.Error("reading made the state directory")
	}
}

// exitBreach is exitProblems as package replay calls it.
const exitBreach = exitProblems

// What the help says of keys is what is done to them: each rule's example, and every
// placeholder that there is.
func TestHelpTellsTheRulesOfKeys(t *testing.T) {
	usage, examples := keysCommand().usage, 0
	for _, line := range strings.Split(usage, "\n") {
		cells := regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(line), -1)
		if len(cells) != 3 {
			continue
		}
		examples++
		if got := incident.Normalise(cells[1]); got != cells[2] {
			t.Errorf("%s: %q becomes %q, not %q", cells[0], cells[1], got, cells[2])
		}
	}
	if examples < 9 {
		t.Errorf("only %d examples", examples)
	}
	for _, placeholder := range []string{"{email}", "{uuid}", "{time}", "{ip}", "{hex}", "{n}", "{id}"} {
		if !strings.Contains(usage, placeholder) {
			t.Errorf("nothing becomes %s", placeholder)
		}
	}
}

// TestHelpNamesEveryFlag: the help is written by hand.
func TestHelpNamesEveryFlag(t *testing.T) {
	d := &deployment{call: call{env: func(string) string { return "" }}}
	for name, own := range map[string]func(io.Writer){
		"backtest": func(w io.Writer) { d.tools(t.Context()).Backtest([]string{"--help"}, io.Discard, w) },
		"keys":     func(w io.Writer) { d.tools(t.Context()).Keys([]string{"--help"}, io.Discard, w) },
		"eval":     func(w io.Writer) { replay.EvalCommand([]string{"--help"}, io.Discard, w) },
	} {
		var flags bytes.Buffer
		own(&flags)
		help := ringonce(nil, "help", name).stdout
		all := regexp.MustCompile(`(?m)^  -([a-z-]+)`).FindAllStringSubmatch(flags.String(), -1)
		if len(all) < 3 {
			t.Errorf("%s: %d flags", name, len(all))
		}
		for _, f := range all {
			if !strings.Contains(help, "  --"+f[1]+" ") && !strings.Contains(help, "  --"+f[1]+"\n") {
				t.Errorf("ringonce help %s does not tell of --%s", name, f[1])
			}
		}
	}
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// record writes what a deployment would have: F failing, H healthy, by minute.
func record(t *testing.T, s *dynamo.Store, verdicts string) {
	t.Helper()
	o := observation.Observation{
		Kind: "error", Parts: []observation.Part{{Name: "issue", Value: "1"}},
		Source: "sentry-checkout", Owner: "checkout", Summary: "It fails",
	}
	var err error
	if o.IncidentKey, err = incident.Key(o.Kind, o.Parts); err != nil {
		t.Fatal(err)
	}
	for n, v := range []byte(verdicts) {
		o.Tick = noon.Add(time.Duration(n) * time.Minute)
		o.Verdict = map[byte]observation.Verdict{'F': observation.Failing, 'H': observation.Healthy}[v]
		if _, err := s.PutObservation(t.Context(), o, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Save(t.Context(), incident.State{Key: o.IncidentKey}); err != nil {
		t.Fatal(err)
	}
}

// state is a state directory as `ringonce run` leaves it, with the engine still
// running over it.
func state(t *testing.T) (string, *engine.Engine) {
	t.Helper()
	dir := t.TempDir()
	e, err := engine.Start(t.Context(), engine.Options{DBPath: filepath.Join(dir, "tables.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop() })
	parsed, err := template.Load(repository + "/template.yaml")
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
	record(t, dynamo.New(client, dynamo.Tables{
		Observations: "ringonce-observations", Incidents: "ringonce-incidents", Operations: "ringonce-operations",
	}), "FFHHFHHH")
	return dir, e
}

// TestRecorded reads what was recorded from the tables of a stack, and from a
// local state, and replays it under the configured policies: the example asks for
// three healthy polls.
func TestRecorded(t *testing.T) {
	dir, e := state(t)
	want := "12:00 open, 12:07 resolve"
	replayed := func(t *testing.T, env map[string]string, args ...string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "notices.jsonl")
		args = append([]string{"backtest", "--recorded", "--live", "--config", example, "--notices", path}, args...)
		got := ringonce(env, args...)
		if told := notices(t, path); got.code != exitOK || told != want || !strings.Contains(got.stdout, "slack_bot") {
			t.Errorf("told %s, want %s; %+v", told, want, got)
		}
		args = append([]string{"keys", "--recorded"}, args[7:]...)
		if got := ringonce(env, args...); got.code != exitOK || !strings.Contains(got.stdout, "8 observations of 1 key,") {
			t.Errorf("keys: %+v", got)
		}
	}
	t.Run("in the tables of a stack", func(t *testing.T) {
		t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", e.Endpoint)
		t.Setenv("AWS_REGION", "eu-central-1")
		t.Setenv("AWS_ACCESS_KEY_ID", "local")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
		replayed(t, nil, "--stack", "ringonce")
		replayed(t, map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": e.Endpoint})
		if got := ringonce(nil, "keys", "--recorded", "--stack", "other"); got.code != exitUsage || !strings.Contains(got.stderr, "read the recorded observations") && !strings.Contains(got.stderr, "read all incidents") || !strings.Contains(got.stderr, "there is no stack other in this account and region") {
			t.Errorf("a stack that is not there: %+v", got)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "endpoint"), []byte(e.Endpoint+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("in a local state beside a run", func(t *testing.T) {
		defer locked(t, dir)()
		replayed(t, nil, "--state", dir)
	})
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	t.Run("in a local state, again and again", func(t *testing.T) {
		for range 2 {
			replayed(t, nil, "--state", dir)
		}
	})
}

// TestRecordedLeavesARunAlone: two engines over one file would harm it.
func TestRecordedLeavesARunAlone(t *testing.T) {
	dir := t.TempDir()
	defer locked(t, dir)()
	if err := os.WriteFile(filepath.Join(dir, "tables.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := ringonce(nil, "backtest", "--recorded", "--state", dir)
	if got.code != exitUsage || !strings.Contains(got.stderr, "is in use by a process that cannot be asked") {
		t.Errorf("%+v", got)
	}
}

// locked holds a state as a run does.
func locked(t *testing.T, dir string) (unlock func()) {
	t.Helper()
	running, err := os.Create(filepath.Join(dir, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(running.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { running.Close() }
}

func notices(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	var told []string
	for dec := json.NewDecoder(bytes.NewReader(content)); dec.More(); {
		var n replay.Notice
		if err := dec.Decode(&n); err != nil {
			t.Fatal(err)
		}
		told = append(told, n.Tick[11:16]+" "+string(n.Action))
	}
	return strings.Join(told, ", ")
}
