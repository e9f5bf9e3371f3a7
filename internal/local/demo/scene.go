package demo

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ringonce/ringonce/internal/local/display"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/local/story"
)

// scene is the world outside Ringonce: vendors, Slack, SES, and the configuration
// that names them.
type scene struct {
	dir     string
	vendors *story.Vendors
	server  *httptest.Server
	inbox   *inbox.Inbox
	// env are the environment variables by which the functions find all this.
	env []string
}

// webhooks are the Slack destinations, by the variable that holds their URL.
var webhooks = map[string]string{
	"DEMO_SLACK_CHECKOUT": "slack-checkout",
	"DEMO_SLACK_PAYMENTS": "slack-payments",
	"DEMO_SLACK_PLATFORM": "slack-platform",
}

func openScene(o Options, d *display.Display, style display.Style) (_ *scene, err error) {
	sc := &scene{}
	defer func() {
		if err != nil {
			sc.close()
		}
	}()
	if sc.vendors, err = story.NewVendors(filepath.Join(o.Testdata, "vendors")); err != nil {
		return nil, err
	}
	sc.server = httptest.NewServer(sc.vendors)
	sc.inbox, err = inbox.Start(inbox.Options{
		Burst:     3,
		OnArrival: func(m inbox.Message) { d.Say("%s", indent(m.Show(style.Colour()))) },
	})
	if err != nil {
		return nil, fmt.Errorf("start the local inbox: %w", err)
	}
	if sc.dir, err = os.MkdirTemp("", "ringonce-demo-"); err != nil {
		return nil, fmt.Errorf("make a folder for the demo: %w", err)
	}
	return sc, sc.configure(o)
}

func (sc *scene) configPath() string { return filepath.Join(sc.dir, "ringonce.yaml") }

// configure writes the demo's configuration with the local vendors in it.
func (sc *scene) configure(o Options) error {
	path := filepath.Join(o.Testdata, "demo", "ringonce.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the demo's configuration: %w", err)
	}
	target := sc.configPath()
	filled := strings.ReplaceAll(string(text), "http://vendors.invalid", sc.server.URL)
	if err := os.WriteFile(target, []byte(filled), 0o600); err != nil {
		return fmt.Errorf("write the demo's configuration: %w", err)
	}
	if err := keep(o.StateDir, []byte(filled)); err != nil {
		return err
	}
	sc.env = []string{
		"RINGONCE_CONFIG=" + target,
		"RINGONCE_LOG_LEVEL=debug",
		"AWS_ENDPOINT_URL_SESV2=" + sc.inbox.SESEndpoint(),
		"DEMO_SENTRY_TOKEN=sntrys_demo", "DEMO_DATADOG_KEY=demo", "DEMO_DATADOG_APP_KEY=demo",
	}
	for variable, name := range webhooks {
		sc.env = append(sc.env, variable+"="+sc.inbox.WebhookURL(name))
	}
	return nil
}

// keep stores the configuration beside the rows that it explains.
func keep(stateDir string, filled []byte) error {
	if stateDir == "" {
		return nil
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return fmt.Errorf("make the state directory: %w", err)
	}
	if err := os.WriteFile(filepath.Join(stateDir, "ringonce.yaml"), filled, 0o600); err != nil {
		return fmt.Errorf("keep the demo's configuration: %w", err)
	}
	return nil
}

// set changes the world for the next tick.
func (sc *scene) set(step story.Step) {
	sc.vendors.Set(step.World)
	for _, f := range step.Slack {
		fault := inbox.Fault{Status: f.Status}
		if f.RetryAfter > 0 {
			fault.RetryAfter = strconv.Itoa(f.RetryAfter)
		}
		sc.inbox.Script(f.Destination, fault)
	}
}

// arrived returns the delivery ids of all accepted messages.
func (sc *scene) arrived() []string {
	var ids []string
	for _, m := range sc.inbox.Messages() {
		ids = append(ids, m.DeliveryID)
	}
	return ids
}

func (sc *scene) close() {
	if sc.server != nil {
		sc.server.Close()
	}
	if sc.inbox != nil {
		sc.inbox.Close()
	}
	if sc.dir != "" {
		// What cannot be removed is in the system's own temporary folder.
		_ = os.RemoveAll(sc.dir)
	}
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
