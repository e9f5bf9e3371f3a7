package deadman

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestPings(t *testing.T) {
	for name, c := range map[string]struct {
		problems   []string
		status     int
		answer     string
		path, body string
		counts     bool
	}{
		"all is well":      {nil, 200, "OK", "/secret-uuid", "", true},
		"all is not":       {[]string{"sweep stopped", "poll stopped"}, 200, "OK\n", "/secret-uuid/fail", "sweep stopped\npoll stopped", true},
		"too often":        {nil, 200, "OK (rate-limited)", "/secret-uuid", "", false},
		"no such check":    {nil, 200, "OK (not found)", "/secret-uuid", "", false},
		"the service's 5x": {nil, 503, "OK", "/secret-uuid", "", false},
		"moved":            {nil, 302, "", "/secret-uuid", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			var path, body string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got, _ := io.ReadAll(r.Body)
				path, body = r.URL.Path, string(got)
				if !r.Close {
					t.Error("the connection is kept for the next ping, when it may be gone")
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.answer)
			}))
			defer server.Close()
			err := Ping(t.Context(), http.DefaultTransport, server.URL+"/secret-uuid", c.problems)
			if (err == nil) != c.counts || path != c.path || body != c.body {
				t.Errorf("pinged %s with %q: %v", path, body, err)
			}
			noSecret(t, err)
		})
	}
}

// Case C7: the ping URL is in no error.
func TestCaseC7NoErrorTellsThePingURL(t *testing.T) {
	for _, url := range []string{"http://127.0.0.1:1/secret-uuid", "http://secret-uuid\x7f", "nothing:secret-uuid"} {
		err := Ping(t.Context(), http.DefaultTransport, url, nil)
		if err == nil {
			t.Errorf("a ping of %q counts", url)
		}
		noSecret(t, err)
	}
}

func noSecret(t *testing.T, err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), "secret-uuid") {
		t.Errorf("the error tells the ping URL: %v", err)
	}
}
