package webhook_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/webhook"
)

// case D4: the receiver takes the document and cuts the connection; the retry
// carries the same key, and the receiver has one message.
func TestAcceptedThenCutIsOneMessage(t *testing.T) {
	box := start(t)
	to, s := receiver(box), webhook.NewSender(nil, time.Now)
	box.Script("erp", inbox.AcceptAndClose())
	n := sendertest.Examples()[0].Notice
	if o := s.Send(t.Context(), webhook.Render(n), to, n.DeliveryID); o.Class != delivery.Ambiguous {
		t.Fatalf("first: %+v", o)
	}
	n.MayBeRepeat = true
	if o := s.Send(t.Context(), webhook.Render(n), to, n.DeliveryID); o.Class != delivery.Accepted {
		t.Fatalf("second: %+v", o)
	}
	if got := box.Messages(); len(got) != 1 || got[0].DeliveryID != n.DeliveryID {
		t.Errorf("arrived: %+v", got)
	}
	if calls := box.Calls(); len(calls) != 2 || !calls[1].Duplicate {
		t.Errorf("calls: %+v", calls)
	}
}

// The example of the Standard Webhooks specification's libraries: a known key,
// id, time and body give a known signature, so that receivers can use them.
func TestSignatureIsThatOfTheScheme(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header }))
	defer server.Close()
	at := func() time.Time { return time.Unix(1614265330, 0) }
	to := webhook.To{URL: server.URL, SigningSecrets: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
	webhook.NewSender(nil, at).Send(t.Context(), []byte(`{"test": 2432232314}`), to, "msg_p5jXN8AQM9LWM0D4loKWxJek")
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got.Get("Webhook-Signature") != want {
		t.Errorf("signature %q, want %q", got.Get("Webhook-Signature"), want)
	}
	if got.Get("Idempotency-Key") != got.Get("Webhook-Id") || got.Get("Webhook-Timestamp") != "1614265330" {
		t.Errorf("headers %v", got)
	}
}

// While a secret is being replaced, both the old and the new one sign.
func TestRotation(t *testing.T) {
	box := start(t)
	to := receiver(box)
	fresh := "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("n", 32)))
	s, p := webhook.NewSender(nil, time.Now), webhook.Render(sendertest.Examples()[0].Notice)
	for secrets, want := range map[string]int{
		to.SigningSecrets: 204, fresh: 401, fresh + " " + to.SigningSecrets: 204, to.SigningSecrets + "\n" + fresh: 204,
	} {
		to.SigningSecrets = secrets
		if o := s.Send(t.Context(), p, to, idOf(t, p)); o.Status != want {
			t.Errorf("with %d secrets: %+v, want %d", len(strings.Fields(secrets)), o, want)
		}
	}
}

// A receiver refuses what was changed on the way, what is old, and another body
// under a known key.
func TestWhatAReceiverRefuses(t *testing.T) {
	box := start(t)
	to, p := receiver(box), webhook.Render(sendertest.Examples()[0].Notice)
	old := webhook.NewSender(nil, func() time.Time { return time.Now().Add(-10 * time.Minute) })
	if o := old.Send(t.Context(), p, to, idOf(t, p)); o.Status != 401 || o.Class != delivery.Permanent {
		t.Errorf("an old signature: %+v", o)
	}
	s := webhook.NewSender(nil, time.Now)
	if o := s.Send(t.Context(), p, to, "d1-00000000000000000000"); o.Status != 400 {
		t.Errorf("another key than the document's id: %+v", o)
	}
	if o := s.Send(t.Context(), p, to, idOf(t, p)); o.Class != delivery.Accepted {
		t.Errorf("a good one: %+v", o)
	}
	other := []byte(strings.Replace(string(p), "FAILING", "BROKEN", 1))
	if o := s.Send(t.Context(), other, to, idOf(t, p)); o.Status != 422 {
		t.Errorf("another body under the same key: %+v", o)
	}
	if n := len(box.Messages()); n != 1 {
		t.Errorf("%d messages", n)
	}
}

func TestWhatCannotBeSentWaitsForItsRepair(t *testing.T) {
	for _, x := range []struct{ url, secrets, code string }{
		{"http://receiver.example.com/in", secret, "bad_address"},
		{"https://user:password@receiver.example.com/in", secret, "bad_address"},
		{"not an address", secret, "bad_address"},
		{"https://receiver.example.com/in", "", "bad_signing_secret"},
		{"https://receiver.example.com/in", "short", "bad_signing_secret"},
		{"https://receiver.example.com/in", "whsec_no base64!", "bad_signing_secret"},
		{"https://receiver.example.com/in", "whsec_c2hvcnQ=", "bad_signing_secret"},
	} {
		o := webhook.NewSender(nil, now).Send(t.Context(), []byte("{}"), webhook.To{URL: x.url, SigningSecrets: x.secrets}, id)
		if want := delivery.Misconfiguration(0, x.code); o != want {
			t.Errorf("%s: %+v, want %+v", x.code, o, want)
		}
	}
}
