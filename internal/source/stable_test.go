package source_test

import (
	"net/http/httptest"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/redact"
	"github.com/ringonce/ringonce/internal/source"
)

// Redaction takes personal data out of a key without making it another key for
// another person, and a pattern that is added renames no open incident.
func TestRedactionKeepsKeysStable(t *testing.T) {
	src := plain("")
	src.Map.Key = []config.KeyPart{{Name: "service", Value: ".service", Type: "id"}, {Name: "title", Value: ".title", Type: "text"}}
	key := func(title string, patterns ...string) string {
		t.Helper()
		r, err := redact.New(patterns...)
		if err != nil {
			t.Fatal(err)
		}
		opts := options(newClock())
		opts.Redact = r
		src.Request.URL = answers(t, body(asJSON(t, []item{{"id": "1", "service": "cust-17", "state": "firing", "title": title}}))).URL
		l := source.New(opts).Fetch(t.Context(), src)
		wantComplete(t, l, 1)
		return keyOf(t, l.Items[0])
	}
	for name, pair := range map[string][2]string{
		"mail":    {"login of jane@example.com failed", "login of joe.doe@example.org failed"},
		"phone":   {"call to +49 30 901820 failed", "call to +1 (212) 555-0199 failed"},
		"card":    {"card 4111111111111111 declined", "card 5555555555554444 declined"},
		"account": {"transfer to DE89370400440532013000 failed", "transfer to GB82WEST12345698765432 failed"},
		"token":   {"Bearer abcdefgh01234567 was refused", "Bearer zyxwvuts98765432 was refused"},
	} {
		first := key(pair[0])
		if second := key(pair[1]); second != first {
			t.Errorf("%s: %s and %s", name, first, second)
		}
		if with := key(pair[0], `cust-\d+`, `failed`, `declined`); with != first {
			t.Errorf("%s: patterns renamed %s to %s", name, first, with)
		}
	}
}

// A certificate that nobody vouches for is not accepted, and not asked again.
func TestCertificatesAreVerified(t *testing.T) {
	server := httptest.NewTLSServer(text("[]"))
	defer server.Close()
	l := poll(t, plain(server.URL))
	wantBroken(t, l, 0, "tls failure", "certificate")
	if l.Requests != 1 {
		t.Errorf("asked %d times", l.Requests)
	}
}
