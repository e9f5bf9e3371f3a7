package slack

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// until is a transport that notes how long a request may take.
type until struct{ left time.Duration }

func (u *until) RoundTrip(r *http.Request) (*http.Response, error) {
	deadline, _ := r.Context().Deadline()
	u.left = time.Until(deadline)
	return nil, http.ErrHandlerTimeout
}

// case D5: Slack's answers take three seconds at times, so a send waits longer.
func TestTimeoutIsLongerThanSlowAnswers(t *testing.T) {
	u := &until{}
	NewSender(u, time.Now).Send(t.Context(), nil, "https://hooks.slack.com/services/T0/B0/x")
	if u.left < 5*time.Second || u.left > 15*time.Second {
		t.Errorf("timeout %v: want more than 3 s with room, and less than a lease", u.left)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		asked := 0
		elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
		s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
		o := NewSender(nil, time.Now).Send(t.Context(), []byte("{}"), s.URL+"/services/x")
		s.Close()
		elsewhere.Close()
		if asked > 0 || o.Class != delivery.Permanent || o.Code != "redirect" || o.Status != status {
			t.Errorf("%d: asked %d times, outcome %+v", status, asked, o)
		}
	}
}

func TestOnlySafeAddressesAreSentTo(t *testing.T) {
	for _, x := range []struct {
		url  string
		want bool
	}{
		{"https://hooks.slack.com/services/T0/B0/x", true},
		{"http://127.0.0.1:8080/services/T0/B0/x", true},
		{"http://[::1]:8080/x", true},
		{"http://localhost:8080/x", true},
		{"http://hooks.slack.com/services/T0/B0/x", false},
		{"http://127.0.0.1.example.com/x", false},
		{"https://user:password@hooks.slack.com/x", false},
		{"hooks.slack.com/services/T0/B0/x", false},
		{"ftp://hooks.slack.com/x", false},
		{"https:///services", false},
		{"https://hooks.slack.com/%zz", false},
		{"", false},
	} {
		if got := wire.Safe(x.url); got != x.want {
			t.Errorf("Safe(%q) = %v", x.url, got)
		}
	}
	o := NewSender(nil, time.Now).Send(t.Context(), nil, "http://hooks.slack.com/services/T0/B0/x")
	if want := delivery.Misconfiguration(0, "bad_address"); o != want {
		t.Errorf("outcome %+v, want %+v", o, want)
	}
}

// net/http repeats a POST by itself when it carries an idempotency key.
func TestNoIdempotencyKey(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		for name := range r.Header {
			if strings.Contains(name, "Idempotency") {
				t.Errorf("header %s", name)
			}
		}
		if got := r.Header.Get("Content-Type"); got != "application/json; charset=utf-8" {
			t.Errorf("content type %q", got)
		}
	}))
	defer s.Close()
	NewSender(nil, time.Now).Send(t.Context(), []byte("{}"), s.URL)
}
