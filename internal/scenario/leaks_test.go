package scenario_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/secret"
	"github.com/ringonce/ringonce/internal/slack"
)

// secretPath is the secret part of a webhook's address.
const secretPath = "/services/T0SECRET/B0SECRET/s3cr3tt0k3n"

// lookup returns a transport that can resolve no host.
func lookup() http.RoundTripper {
	return &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "no such host", Name: address + secretPath, IsNotFound: true}
	}}
}

// slow is a transport whose requests time out.
type slow struct{}

func (slow) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("await %s: %w", r.URL, context.DeadlineExceeded)
}

// TestCaseC7ADigestThatFailsLeaksNoSecret: however the digest of a storm fails, no
// log, row or message contains the address of its webhook, and neither does what the
// fallback is sent. The log names the destination and the host.
func TestCaseC7ADigestThatFailsLeaksNoSecret(t *testing.T) {
	silent := slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	for name, x := range map[string]struct {
		answer http.HandlerFunc
		tls    bool
		via    http.RoundTripper
		host   string
	}{
		"dns failure": {via: lookup(), host: "127.0.0.1"},
		"timeout":     {via: slow{}, host: "127.0.0.1"},
		"not trusted": {tls: true, host: "127.0.0.1"},
		"cut":         {answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, host: "127.0.0.1"},
		"redirect": {answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example.com"+secretPath, http.StatusTemporaryRedirect)
		}},
		"echoing 404": {answer: func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "no page at "+r.URL.String(), http.StatusNotFound)
		}},
		"echoing 500": {answer: func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "failed at "+r.URL.String(), http.StatusInternalServerError)
		}},
		"echoing 200": {answer: func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.String()) }},
		"echoing limit": {answer: func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.URL.String(), http.StatusTooManyRequests)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s store) {
				r := newRig(t, s, newVendor())
				var log bytes.Buffer
				r.log = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
				service := httptest.NewUnstartedServer(x.answer)
				service.Config.ErrorLog = silent
				if x.tls {
					service.StartTLS()
				} else {
					service.Start()
				}
				t.Cleanup(service.Close)
				t.Setenv("SCENARIO_WEBHOOK", service.URL+secretPath)
				r.audience(slackDest)
				r.cfg.Delivery.GiveUpAfter = 3 * time.Hour
				r.configure(slackDest, func(d *config.Destination) { d.Fallback, d.DigestOver = mailDest, 2 })
				r.configure(mailDest, func(d *config.Destination) { d.DigestOver = 2 })
				var fail []observation.Observation
				for n := range 6 {
					fail = append(fail, observedKey(n, noon, observation.Failing))
				}
				r.decideOnly(fail...)
				for n := range 50 {
					d := r.deliverer()
					d.Senders[config.ChannelSlackWebhook] = channels.SlackWebhook{
						Sender: slack.NewSender(x.via, r.clock), Secrets: secret.New(secret.Options{Now: r.clock, Log: r.log}), Log: r.log,
					}
					if _, err := d.Sweep(t.Context()); err != nil {
						t.Fatalf("sweep %d: %v", n, err)
					}
					r.now = r.now.Add(5 * time.Minute)
				}
				said := map[string]string{"log": log.String()}
				digests := 0
				for _, d := range r.ledger() {
					row, err := json.Marshal(d)
					if err != nil {
						t.Fatal(err)
					}
					said["ledger"] += string(row) + string(d.Payload)
					if d.Action == delivery.Digest && d.Destination == slackDest && len(d.Attempts) > 0 {
						digests++
					}
				}
				for _, m := range r.inbox.Messages() {
					said["messages"] += string(m.Body)
				}
				for where, text := range said {
					for _, secret := range []string{"T0SECRET", "s3cr3tt0k3n", secretPath} {
						if strings.Contains(text, secret) {
							t.Errorf("the secret %s is in the %s", secret, where)
						}
					}
				}
				if digests != 1 || !strings.Contains(log.String(), `"destination":"slack-payments"`) || !strings.Contains(log.String(), `"host":"`+x.host+`"`) {
					t.Errorf("%d digests were tried; the log names destination and host %q: %.300s", digests, x.host, log.String())
				}
			})
		})
	}
}
