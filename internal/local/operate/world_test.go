package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/local/lambdaruntime"
	"github.com/ringonce/ringonce/internal/local/stack"
)

const root = "../../.."

var start = time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var built struct {
	once sync.Once
	dir  string
	err  error
}

// functions are the real ones, built once, by name; the command is beside them.
func functions(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "operate"); built.err != nil {
			return
		}
		packages := map[string]string{"ringonce": "./internal/cmd/ringonce"}
		for _, name := range names(t) {
			packages[filepath.Join(name, "bootstrap")] = "./functions/" + name
		}
		for binary, path := range packages {
			build := exec.Command("go", "build", "-tags", "lambda.norpc", "-o", filepath.Join(built.dir, binary), path)
			build.Dir = root
			if out, err := build.CombinedOutput(); err != nil {
				built.err = fmt.Errorf("build %s: %w\n%s", path, err, out)
				return
			}
		}
	})
	check(t, built.err)
	return built.dir
}

func names(t *testing.T) []string {
	t.Helper()
	sources, err := filepath.Glob(filepath.Join(root, "functions", "*", "main.go"))
	check(t, err)
	var all []string
	for _, s := range sources {
		all = append(all, filepath.Base(filepath.Dir(s)))
	}
	return all
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// world is a stack with a vendor that lists one failing thing, and an inbox.
type world struct {
	*stack.Stack
	vendor *httptest.Server
	// healthy has the vendor list nothing, and flood many things.
	healthy, flood atomic.Bool

	mu sync.Mutex
	// beats are the values of the metric Heartbeat, oldest first.
	beats []float64
	other []string
	// lines is all that the functions printed.
	lines []string
}

const configuration = `version: 1
environment: test
owners:
  team: {cost_center: CC-1, destinations: [slack, mail]}
destinations:
  slack: {channel: slack_webhook, webhook_url: "ssm:/ringonce/slack"}
  mail: {channel: ses, from: alerts@example.com, to: [oncall@example.com], fallback: slack}
sources:
  - id: api
    owner: team
    operator_action: Look at the API.
    interval: 1m
    kind: error
    absent: healthy
    policy: {healthy_required: 1}
    request: {url: "VENDOR/issues", bearer: "ssm:/ringonce/vendor"}
    map:
      items: .issues[]
      status: .status
      verdicts: {down: failing}
      key: [{name: name, value: .name, type: text}]
      summary: .name
`

// alarms is a source that is asked through the AWS SDK.
const alarms = `  - id: alarms
    preset: cloudwatch
    params: {region: us-east-1}
    owner: team
    operator_action: Look at the alarm.
    interval: 1m
`

// open starts a world on a template and a folder of functions.
func open(t *testing.T, config, templatePath, dir string, env ...string) *world {
	t.Helper()
	return openWith(t, config, stack.Options{Template: templatePath, FunctionsDir: dir, Env: env})
}

func openWith(t *testing.T, config string, o stack.Options) *world {
	t.Helper()
	w := &world{}
	w.vendor = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		if w.healthy.Load() {
			_, _ = rw.Write([]byte(`{"issues":[]}`))
			return
		}
		failing := []string{"checkout"}
		if w.flood.Load() {
			failing = append(failing, "basket", "search", "login", "stock", "mail", "prices", "labels")
		}
		var issues []map[string]string
		for _, name := range failing {
			issues = append(issues, map[string]string{"name": name, "status": "down"})
		}
		_ = json.NewEncoder(rw).Encode(map[string]any{"issues": issues})
	}))
	t.Cleanup(w.vendor.Close)
	path := filepath.Join(t.TempDir(), "ringonce.yaml")
	check(t, os.WriteFile(path, []byte(strings.ReplaceAll(config, "VENDOR", w.vendor.URL)), 0o600))
	o.PollEvery, o.Backoff, o.Output = time.Hour, func(int) time.Duration { return 0 }, w.line
	o.Env = append([]string{"RINGONCE_CONFIG=" + path}, o.Env...)
	var err error
	w.Stack, err = stack.Start(t.Context(), o)
	check(t, err)
	t.Cleanup(func() { check(t, w.Close()) })
	return w
}

func (w *world) line(l lambdaruntime.Line) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, l.Text)
	var m struct {
		Heartbeat *float64
		Level     string
	}
	if json.Unmarshal([]byte(l.Text), &m) == nil && m.Heartbeat != nil {
		w.beats = append(w.beats, *m.Heartbeat)
	}
	if m.Level == "ERROR" || m.Level == "WARN" {
		w.other = append(w.other, l.Text)
	}
}

// startInbox plays Slack and SES.
func startInbox(t *testing.T) *inbox.Inbox {
	t.Helper()
	in, err := inbox.Start(inbox.Options{})
	check(t, err)
	t.Cleanup(func() { in.Close() })
	return in
}

// tick is one minute: what is on is called, and all that follows is worked off.
func (w *world) tick(ctx context.Context, at time.Time, polls, sweeps bool) error {
	if polls {
		if err := w.Tick(ctx, at); err != nil {
			return err
		}
	}
	if err := w.Drain(ctx); err != nil {
		return err
	}
	if sweeps {
		return w.Sweep(ctx, at)
	}
	return nil
}
