package operate

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/inbox"
)

const smoked = `version: 1
environment: test
owners:
  team: {cost_center: CC-1, destinations: [slack, other]}
destinations:
  slack: {channel: slack_webhook, webhook_url: "env:SLACK", fallback: other, pace: none}
  other: {channel: slack_webhook, webhook_url: "env:OTHER"}
sources:
  - id: api
    owner: team
    operator_action: Look at the API.
    kind: error
    absent: healthy
    request: {url: "VENDOR/issues"}
    map:
      items: .issues[]
      status: .status
      verdicts: {down: failing}
      key: [{name: name, value: .name, type: text}]
      summary: .name
`

// running is `ringonce run` as a process, on a state of its own.
type running struct {
	t             *testing.T
	config, state string
	inbox         *inbox.Inbox
}

// startRun runs the real command with real functions on a template.
func startRun(t *testing.T, templatePath string) *running {
	t.Helper()
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"issues":[]}`)) }))
	t.Cleanup(vendor.Close)
	r := &running{t: t, config: filepath.Join(t.TempDir(), "ringonce.yaml"), state: t.TempDir(), inbox: startInbox(t)}
	check(t, os.WriteFile(r.config, []byte(strings.ReplaceAll(smoked, "VENDOR", vendor.URL)), 0o600))
	templatePath, err := filepath.Abs(templatePath)
	check(t, err)
	cmd := r.command(context.Background(), "run", "--state", r.state, "--functions", functions(t), "--template", templatePath)
	cmd.Env = append(cmd.Env, "SLACK="+r.inbox.WebhookURL("slack"), "OTHER="+r.inbox.WebhookURL("other"))
	out, err := cmd.StdoutPipe()
	check(t, err)
	cmd.Stderr = os.Stderr
	check(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "Polling api") {
	}
	go func() {
		for lines.Scan() {
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	return r
}

func (r *running) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	args = append([]string{name, "--config", r.config}, args...)
	cmd := exec.CommandContext(ctx, filepath.Join(functions(r.t), "ringonce"), args...)
	cmd.Dir = root
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	return cmd
}

// ask runs a command on the state, and returns what it prints and whether it
// exits with 0.
func (r *running) ask(name string, args ...string) (string, bool) {
	r.t.Helper()
	var out bytes.Buffer
	cmd := r.command(r.t.Context(), name, append(args, "--state", r.state)...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err == nil
}

func (r *running) smoke(timeout string) (string, bool) {
	return r.ask("smoke", "--destination", "slack", "--timeout", timeout)
}

func (r *running) arrived() (slack, other int) {
	for _, m := range r.inbox.Messages() {
		switch m.Target {
		case "slack":
			slack++
		case "other":
			other++
		}
	}
	return slack, other
}

// A whole stack is proved: open and resolve arrive, each step is timed, nobody
// else is told, and nothing is left but the deliveries, which are charged.
func TestSmokeGoesThroughAWholeStack(t *testing.T) {
	r := startRun(t, without(t, ""))
	for range 2 {
		out, ok := r.smoke("30s")
		if !ok || strings.Count(out, " s  ") != 10 || !strings.Contains(out, "open     handled") || !strings.Contains(out, "6 rows removed") {
			t.Fatalf("smoke: %v\n%s", ok, out)
		}
		t.Log(out)
	}
	if slack, other := r.arrived(); slack != 4 || other != 0 {
		t.Errorf("%d messages arrived, and %d elsewhere; want 4 and none", slack, other)
	}
	if out, ok := r.ask("list", "--status", "all"); !ok || strings.Contains(out, "smoke") {
		t.Errorf("list: %v\n%s", ok, out)
	}
	if out, _ := r.ask("status"); strings.Contains(out, "smoke") {
		t.Errorf("status:\n%s", out)
	}
	if out, ok := r.ask("usage", "--by", "owner", "--check"); !ok || !strings.Contains(out, "smoke  4") {
		t.Errorf("usage: %v\n%s", ok, out)
	}
}

// Case O2: with deliver switched off, smoke says so, whether sweep comes to
// deliver the message or not; and a destination that refuses is named with its
// answer, and no fallback hears of it.
func TestSmokeSaysWhatIsOff(t *testing.T) {
	r := startRun(t, without(t, "DeliverFunction"))
	out, ok := r.smoke("3s")
	if ok || !strings.Contains(out, "deliver's log, its errors and its stream mapping") || !strings.Contains(out, "open     decided") {
		t.Errorf("deliver is off: %v\n%s", ok, out)
	}
	t.Log(out)
	r = startRun(t, without(t, "DecideFunction"))
	out, ok = r.smoke("3s")
	if ok || !strings.Contains(out, "decide's log, its errors and its stream mapping") || strings.Contains(out, "open     decided") {
		t.Errorf("decide is off: %v\n%s", ok, out)
	}
	t.Log(out)
	r = startRun(t, without(t, ""))
	r.inbox.Script("slack", inbox.Gone())
	out, ok = r.smoke("30s")
	if _, other := r.arrived(); ok || !strings.Contains(out, "404 no_service") || other != 0 {
		t.Errorf("the destination is gone: %v, %d elsewhere\n%s", ok, other, out)
	}
	t.Log(out)
}
