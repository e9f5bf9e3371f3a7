package operate

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/stack"
)

// A link in a message on this machine opens the incident's page, through the
// real function; after a new start on the same state too.
func TestLinksInLocalMessagesOpenPages(t *testing.T) {
	p := startServices(t)
	state := filepath.Join(t.TempDir(), "state")
	o := stack.Options{
		Template: filepath.Join(root, "template.yaml"), FunctionsDir: functions(t), Env: p.env("none"),
		Pages: "127.0.0.1:0", StateDir: state,
	}
	w := openWith(t, configuration, o)
	check(t, w.tick(t.Context(), start, true, true))
	messages := p.inbox.Messages()
	if len(messages) != 2 {
		t.Fatalf("%d messages, want one to Slack and one mail", len(messages))
	}
	link := regexp.MustCompile(regexp.QuoteMeta(w.PagesURL()) + `i/[A-Za-z0-9_.-]+`)
	for _, m := range messages {
		url := link.FindString(string(m.Body))
		if status, body := fetch(t, url); status != http.StatusOK || !strings.Contains(body, "<h1>checkout</h1>") {
			t.Errorf("%s: the link %q is answered with %d", m.Channel, url, status)
		}
		if status, _ := fetch(t, url[:len(url)-1]); status != http.StatusNotFound {
			t.Errorf("a changed link is answered with %d", status)
		}
	}
	if url, secret := stack.Pages(state); url != w.PagesURL() || secret != "file:"+filepath.Join(state, "page-secret") {
		t.Errorf("the state says %q, signed with %q", url, secret)
	}
	url := link.FindString(string(messages[0].Body))
	assertNotLogged(t, w, url)
	check(t, w.Close())
	o.Pages = strings.Trim(strings.TrimPrefix(w.PagesURL(), "http://"), "/")
	openWith(t, configuration, o)
	if status, _ := fetch(t, url); status != http.StatusOK {
		t.Errorf("after a new start the link is answered with %d", status)
	}
	o.Pages, o.StateDir = "", t.TempDir()
	check(t, os.WriteFile(filepath.Join(o.StateDir, "pages"), []byte("http://127.0.0.1:1/"), 0o600))
	openWith(t, configuration, o)
	if url, _ := stack.Pages(o.StateDir); url != "" {
		t.Errorf("a run without pages leaves %s behind", url)
	}
	if info, err := os.Stat(filepath.Join(state, "page-secret")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the secret's file: %v, %v", info, err)
	}
}

// assertNotLogged: no function prints a link.
func assertNotLogged(t *testing.T, w *world, url string) {
	t.Helper()
	_, signature, _ := strings.Cut(url, "/i/")
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.lines) == 0 {
		t.Error("the functions print nothing at all")
	}
	for _, line := range w.lines {
		if strings.Contains(line, signature) {
			t.Errorf("a link is in the log: %s", line)
		}
	}
}

// Pages are for this machine.
func TestPagesAreServedOnLoopbackOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:80", "127.0.0.1"} {
		_, err := stack.Start(t.Context(), stack.Options{
			Template: filepath.Join(root, "template.yaml"), FunctionsDir: functions(t), Pages: address,
		})
		if err == nil || !strings.Contains(err.Error(), "no loopback address") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	check(t, err)
	res, err := http.DefaultClient.Do(r)
	check(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	check(t, err)
	return res.StatusCode, string(body)
}
