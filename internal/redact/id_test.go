package redact_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/redact"
)

// case C7: nothing readable is left of an address or a secret in an id.
func TestIDsHoldNoSecrets(t *testing.T) {
	for id, secret := range map[string]string{
		"alice@example.com":               "alice",
		"user:alice%40example.com/eu":     "alice",
		"Bearer abcdefgh01234567":         "abcdefgh",
		"eyJhbGciOiJI.eyJzdWIiOiIx.c2lnb": "eyJ",
		"ghp_0123456789abcdefghij":        "0123456789",
		"x?token=0123456789abcdef":        "0123456789",
	} {
		got := redact.ID(id)
		if strings.Contains(got, secret) || !strings.Contains(got, "-") {
			t.Errorf("%q became %q", id, got)
		}
		if again := redact.ID(id); again != got {
			t.Errorf("%q became %q and then %q", id, got, again)
		}
		if twice := redact.ID(got); twice != got {
			t.Errorf("%q, taken out of twice, became %q", got, twice)
		}
	}
	a, b := redact.ID("alice@example.com"), redact.ID("bob@example.com")
	if a == b || !strings.HasPrefix(a, "{email-") || len(a) != len("{email-}")+12 {
		t.Errorf("two people are %q and %q", a, b)
	}
}

// Two addresses that differ only in what is taken out of them are two: a listing
// that is told apart by a query would be one incident.
func TestIDsOfAddressesStayApart(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{
		"https://api.example/status?code=200", "https://api.example/status?code=500", "https://api.example/status?code=redacted",
		"https://u:secret1@h.example/", "https://u:secret2@h.example/", "https://h.example/", "instance=https://h.example/?key=eu,job=x", "instance=https://h.example/?key=us,job=x",
	} {
		got := redact.ID(id)
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q are both %q", other, id, got)
		}
		seen[got] = id
		if twice := redact.ID(got); twice != got {
			t.Errorf("%q, taken out of twice, became %q", got, twice)
		}
		if text := redact.Text(got); text != got {
			t.Errorf("%q became the text %q", got, text)
		}
		if strings.Contains(got, "secret1") || strings.Contains(got, "=eu") {
			t.Errorf("%q became %q", id, got)
		}
	}
}

// What is left of an identifier passes through the redaction of texts as it is,
// so that a key reads the same in a row and in a message.
func TestIDsPassAsTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[a-z]{0,3}[a-z0-9]{1,8}@[a-z]{1,8}\.com`).Draw(t, "address")
		if got := redact.ID(id); redact.Text(got) != got {
			t.Fatalf("%q became %q, and that %q", id, got, redact.Text(got))
		}
	})
}

// What vendors use as ids stays as it is, however much it looks like a number
// that belongs to somebody.
func TestIDsStay(t *testing.T) {
	for _, id := range []string{
		"6507376925", "4111111111111111", "i-0abcd1234ef567890", "arn:aws:sns:eu-central-1:123456789012:topic",
		"DE89370400440532013000", "+491701234567", "web-1", "eu-central-1", "checkout/api", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "",
	} {
		if got := redact.ID(id); got != id {
			t.Errorf("%q became %q", id, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[a-z0-9]{1,12}(-[a-z0-9]{1,12}){0,3}`).Draw(t, "id")
		if got := redact.ID(id); got != id {
			t.Fatalf("%q became %q", id, got)
		}
	})
}
