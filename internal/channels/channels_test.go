package channels_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/secret"
	"github.com/ringonce/ringonce/internal/slack"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// desk is a channel whose webhook's address is in a file, at a service that takes
// messages at one path only.
type desk struct {
	t    *testing.T
	file string
	base string
	send func() delivery.Outcome
	log  bytes.Buffer
}

func newDesk(t *testing.T, valid string) *desk {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != valid {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "no_service")
			return
		}
		fmt.Fprint(w, "ok")
	}))
	t.Cleanup(srv.Close)
	d := &desk{t: t, file: filepath.Join(t.TempDir(), "webhook"), base: srv.URL}
	log := slog.New(slog.NewJSONHandler(&d.log, nil))
	clock := func() time.Time { return now }
	channel := channels.SlackWebhook{
		Sender: slack.NewSender(nil, clock), Secrets: secret.New(secret.Options{Now: clock, Log: log}), Log: log,
	}
	to := config.Destination{ID: "slack", Channel: config.ChannelSlackWebhook, WebhookURL: "file:" + d.file}
	d.send = func() delivery.Outcome {
		return channel.Send(t.Context(), to, delivery.Delivery{Payload: []byte(`{}`)})
	}
	return d
}

func (d *desk) keep(value string) {
	d.t.Helper()
	if err := os.WriteFile(d.file, []byte(value), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func TestARotatedWebhookLosesNoMessage(t *testing.T) {
	d := newDesk(t, "/new-secret")
	d.keep(d.base + "/old-secret")
	if o := d.send(); o.Class != delivery.Permanent || o.Code != "no_service" {
		t.Fatalf("a refusal of the present value is %+v", o)
	}
	d.send()
	d.keep(d.base + "/new-secret")
	if o := d.send(); o.Class != delivery.Temporary || o.Code != "secret_changed" || o.RefusesAll() {
		t.Errorf("a refusal of a remembered value is %+v", o)
	}
	if o := d.send(); o.Class != delivery.Accepted {
		t.Errorf("the next try is %+v", o)
	}
}

func TestABadWebhookWaitsForItsRepair(t *testing.T) {
	d := newDesk(t, "/secret")
	d.keep("https//typo-secret")
	if o := d.send(); o.Class != delivery.Temporary || !o.Misconfigured || o.RetryAfter < time.Minute {
		t.Errorf("the outcome is %+v", o)
	}
	d.keep(d.base + "/secret")
	d.send() // reads it again
	if o := d.send(); o.Class != delivery.Accepted {
		t.Errorf("after the repair it is %+v", o)
	}
}

func TestAnUnreadableSecretIsNamedByItsReference(t *testing.T) {
	d := newDesk(t, "/secret")
	if o := d.send(); o.Class != delivery.Temporary || o.Code != "secret_unavailable" {
		t.Errorf("the outcome is %+v", o)
	}
	if log := d.log.String(); !strings.Contains(log, "file:"+d.file) || !strings.Contains(log, "no such file") || !strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("logged %s", log)
	}
}

// TestARefusalWhoseSecretCannotBeReadAgainIsNoVerdict: it may have been rotated.
func TestARefusalWhoseSecretCannotBeReadAgainIsNoVerdict(t *testing.T) {
	d := newDesk(t, "/secret")
	d.keep(d.base + "/old-secret")
	d.send()
	d.keep(d.base + "/other-secret")
	d.send() // remembers it
	if err := os.Remove(d.file); err != nil {
		t.Fatal(err)
	}
	if o := d.send(); o.Class != delivery.Temporary || o.Code != "secret_unavailable" {
		t.Errorf("the outcome is %+v", o)
	}
	if strings.Contains(d.log.String(), "-secret") {
		t.Errorf("a value is in the log: %s", d.log.String())
	}
}
