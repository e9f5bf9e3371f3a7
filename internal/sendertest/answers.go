package sendertest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/delivery"
)

// answers: each answer gives its outcome, after a single request (case D5).
func (c Channel) answers(t *testing.T) {
	for _, a := range c.Answers {
		t.Run(a.Name, func(t *testing.T) {
			s := serve(t, a.write)
			got := c.Sender(t, s.URL, nil)(t.Context(), c.payload())
			if got != a.Want {
				t.Errorf("outcome %+v, want %+v", got, a.Want)
			}
			if n := len(s.bodies()); n != 1 {
				t.Errorf("%d requests for one send", n)
			}
			c.leaks(t, "the outcome", fmt.Sprintf("%+v", got))
		})
	}
}

func (a Answer) write(w http.ResponseWriter, _ *http.Request) {
	for k, v := range a.Header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(a.Status)
	_, _ = io.WriteString(w, a.Body)
}

// echoes: nothing that a server echoes of our secrets reaches the ledger, and a
// redirect sends none of them to another server (case C7).
func (c Channel) echoes(t *testing.T) {
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request) {})
	for _, status := range []int{200, 202, 301, 302, 303, 400, 401, 403, 404, 405, 410, 418, 429, 500, 503} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", elsewhere.URL+r.URL.Path)
				w.Header().Set("X-Amzn-ErrorType", strings.Join(c.Secrets, " "))
				w.WriteHeader(status)
				_, _ = fmt.Fprintf(w, "%s%s %s", r.Host, r.URL.Path, strings.Join(c.Secrets, " "))
			})
			o := c.Sender(t, s.URL, nil)(t.Context(), c.payload())
			if o.Class == "" || (o.Class == delivery.Accepted && !(c.StatusSuffices && status < 300)) {
				t.Errorf("outcome %+v of an answer that is not the provider's", o)
			}
			c.leaks(t, "the outcome", fmt.Sprintf("%+v", o))
		})
	}
	if n := len(elsewhere.bodies()); n > 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// leaks fails the test if a text contains a secret.
func (c Channel) leaks(t *testing.T, what, text string) {
	t.Helper()
	for _, secret := range append([]string{"http://", "https://"}, c.Secrets...) {
		if strings.Contains(text, secret) {
			t.Errorf("%s holds %q: %s", what, secret, text)
		}
	}
}

func (c Channel) payload() []byte { return c.Render(Examples()[0].Notice) }
