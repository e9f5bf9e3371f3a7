//go:build live

package scenario_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/preset"
)

// liveFor bounds how long the real programs may take to do anything.
const liveFor = 60 * time.Second

const liveSources = `
version: 1
environment: test
owners: {payments: {cost_center: CC-1, destinations: [%[1]s, %[2]s]}}
destinations:
  %[1]s: {channel: slack_webhook, webhook_url: "env:SCENARIO_WEBHOOK"}
  %[2]s: {channel: ses, from: alerts@example.com, to: [%[3]s]}
sources:
  - &source
    id: prometheus
    preset: prometheus-alerts
    params: {url: "%[4]s"}
    owner: payments
    operator_action: Look at the checkout service.
    # The alert that always fires proves that rules are evaluated and sent.
    canary: {item: .labels.alertname == "Watchdog"}
    map:
      key: [{name: alert, value: .labels.alertname, type: id}, {name: service, value: .labels.service, type: id}]
  - {<<: *source, id: alertmanager, preset: alertmanager, params: {url: "%[5]s"}}
`

const liveRules = `
groups:
  - name: live
    rules:
      - {alert: Watchdog, expr: vector(1)}
      - alert: CheckoutDown
        expr: checkout_down == 1
        labels: {service: checkout}
        annotations: {summary: "checkout is down"}
`

// TestLive fires and resolves an alert in a real Prometheus that sends to a real
// Alertmanager, and observes both through their presets: everybody is told of each
// once.
func TestLive(t *testing.T) {
	down, target := checkout(t)
	am, prom := freeURLs(t)
	startAlertmanager(t, am)
	startPrometheus(t, prom, am, target)

	r := newRig(t, memory.New(), source.New(source.Options{}))
	cfg, _, err := config.Parse("live.yaml", fmt.Appendf(nil, liveSources, slackDest, mailDest, mailTo, prom, am), preset.FS)
	if err != nil {
		t.Fatal(err)
	}
	r.cfg = cfg
	n := 0
	tick := func() string { r.tick(n); n++; return r.toldEqually() }

	r.await("the watchdog to reach both", func(items int) bool { return items == 0 })
	if got := tick(); got != "-" {
		t.Errorf("while all is well: %s", got)
	}
	down.Store(true)
	r.await("the alert to fire at both", func(items int) bool { return items == 1 })
	if got := strings.Join([]string{tick(), tick(), tick()}, " "); got != "open - -" {
		t.Errorf("while it fires: %s", got)
	}
	down.Store(false)
	r.await("the alert to be over at both", func(items int) bool { return items == 0 })
	if got := strings.Join([]string{tick(), tick(), tick(), tick()}, " "); got != "- resolve - -" {
		t.Errorf("when it is over: %s", got)
	}
}

// await polls both sources until their complete answers hold the wanted number of
// alerts, not counting the watchdog.
func (r *rig) await(what string, enough func(items int) bool) {
	r.t.Helper()
	began := time.Now()
	every := time.NewTicker(50 * time.Millisecond)
	defer every.Stop()
	var last []observation.Listing
	for {
		done := true
		last = last[:0]
		for _, src := range r.cfg.Sources {
			l := r.fetch.Fetch(r.t.Context(), src)
			last = append(last, l)
			done = done && l.Complete && enough(len(l.Items))
		}
		if done {
			return
		}
		select {
		case <-every.C:
		case <-time.After(liveFor - time.Since(began)):
			r.t.Fatalf("waited %s for %s; at last %+v", liveFor, what, last)
		}
	}
}

// checkout starts a service whose metric says whether it is down.
func checkout(t *testing.T) (*atomic.Bool, string) {
	t.Helper()
	down := &atomic.Bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		value := 0
		if down.Load() {
			value = 1
		}
		fmt.Fprintf(w, "# TYPE checkout_down gauge\ncheckout_down %d\n", value)
	}))
	t.Cleanup(s.Close)
	return down, strings.TrimPrefix(s.URL, "http://")
}

// freeURLs returns two local addresses on which nothing listens. Both ports are taken
// before either is released, since the next one taken may be the one just released.
func freeURLs(t *testing.T) (first, second string) {
	t.Helper()
	var urls [2]string
	for i := range urls {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		urls[i] = "http://" + l.Addr().String()
	}
	return urls[0], urls[1]
}

func startAlertmanager(t *testing.T, url string) {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "alertmanager.yml")
	put(t, config, "route: {receiver: nobody}\nreceivers: [{name: nobody}]\n")
	start(t, "prometheus-alertmanager", "--config.file="+config, "--storage.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+strings.TrimPrefix(url, "http://"), "--cluster.listen-address=")
}

func startPrometheus(t *testing.T, url, am, target string) {
	t.Helper()
	dir := t.TempDir()
	config, rules := filepath.Join(dir, "prometheus.yml"), filepath.Join(dir, "rules.yml")
	put(t, rules, liveRules)
	put(t, config, fmt.Sprintf(`
global: {scrape_interval: 200ms, scrape_timeout: 200ms, evaluation_interval: 200ms}
rule_files: [%s]
alerting: {alertmanagers: [{static_configs: [{targets: [%q]}]}]}
scrape_configs: [{job_name: checkout, static_configs: [{targets: [%q]}]}]
`, rules, strings.TrimPrefix(am, "http://"), target))
	// Prometheus finds its Alertmanager seconds after the first alerts. By default it
	// would send them again only after a minute.
	start(t, "prometheus", "--rules.alert.resend-delay=1s", "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+strings.TrimPrefix(url, "http://"))
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// start runs a program from RINGONCE_LIVE_BIN, or the PATH, until the test ends. Its
// log is shown if the test fails.
func start(t *testing.T, name string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(filepath.Join(os.Getenv("RINGONCE_LIVE_BIN"), name))
	if err != nil {
		t.Fatalf("there is no %s: run `make test-live`, or name the folder that holds it in RINGONCE_LIVE_BIN: %v", name, err)
	}
	var out strings.Builder
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", name, out.String())
		}
	})
}
