package inbox

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxAge is the most that a signature's time may differ from this machine's.
const maxAge = 5 * time.Minute

// ReceiverURL creates a receiver of signed webhooks of the given name and returns its
// URL. The receiver does what the documentation requires: it checks the signature
// with SigningSecret, refuses one that is too old, and accepts each Idempotency-Key
// once.
func (b *Inbox) ReceiverURL(name string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.receivers[name] = map[string][]byte{}
	return "http://" + b.addr + "/receivers/" + name
}

// SigningSecret returns the secret that a receiver checks signatures with.
func (b *Inbox) SigningSecret(name string) string {
	sum := sha256.Sum256([]byte("ringonce local receiver " + name))
	return "whsec_" + base64.StdEncoding.EncodeToString(sum[:])
}

func (b *Inbox) webhook(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	id := r.Header.Get("Idempotency-Key")
	b.mu.Lock()
	keys, open := b.receivers[name]
	first, known := keys[id]
	b.mu.Unlock()
	note, refusal := readDocument(body, id)
	switch {
	case !open:
		refusal = &reply{status: http.StatusNotFound}
	case !b.signed(r.Header, body, b.SigningSecret(name)):
		refusal = &reply{status: http.StatusUnauthorized}
	case known && !bytes.Equal(first, body):
		// The same key must not come with another body.
		refusal = &reply{status: http.StatusUnprocessableEntity}
	}
	b.receive(w, r, service{
		call:    Call{Target: name, DeliveryID: id},
		message: Message{Channel: Webhook, Target: name, DeliveryID: id, Body: body, Note: note},
		refusal: refusal,
		fault:   func(f Fault) reply { return reply{status: f.Status, header: retryAfter(f)} },
		limited: reply{status: http.StatusTooManyRequests, header: map[string]string{"Retry-After": "1"}},
		accepted: func(Message) reply {
			return reply{status: http.StatusNoContent}
		},
		known: func() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			_, known := keys[id]
			return known
		},
		keep: func(Message) {
			b.mu.Lock()
			defer b.mu.Unlock()
			keys[id] = body
		},
	})
}

// signed checks the signature as a receiver does.
func (b *Inbox) signed(h http.Header, body []byte, secret string) bool {
	at, err := strconv.ParseInt(h.Get("Webhook-Timestamp"), 10, 64)
	if age := b.opts.Now().Sub(time.Unix(at, 0)); err != nil || age > maxAge || age < -maxAge {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(h.Get("Webhook-Id") + "." + h.Get("Webhook-Timestamp") + "."))
	mac.Write(body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, got := range strings.Fields(h.Get("Webhook-Signature")) {
		if hmac.Equal([]byte(got), []byte(want)) && h.Get("Webhook-Id") == h.Get("Idempotency-Key") {
			return true
		}
	}
	return false
}

// readDocument reads the fields that a receiver needs, and refuses what is not a
// document of version 1 or has another key.
func readDocument(body []byte, id string) (*Note, *reply) {
	var d struct {
		Version                       int
		ID, Action, Headline, Summary string
		Source, Owner, Why            string
		OperatorAction                string `json:"operator_action"`
		Incident                      struct{ Key string }
	}
	if json.Unmarshal(body, &d) != nil || d.Version != 1 || d.ID == "" || d.ID != id || d.Action == "" ||
		d.Headline == "" || d.Summary == "" || len(body) > 64<<10 {
		return nil, &reply{status: http.StatusBadRequest}
	}
	return &Note{Headline: d.Headline, Lines: noteLines(
		d.Summary, fact("To do", d.OperatorAction), fact("Source", d.Source), fact("Owner", d.Owner),
		fact("Why now", d.Why), d.ID+" · "+d.Incident.Key)}, nil
}

func fact(label, value string) string {
	if value == "" {
		return ""
	}
	return label + ": " + value
}

func noteLines(texts ...string) []Line {
	var lines []Line
	for _, t := range texts {
		if t == "" {
			continue
		}
		for line := range strings.SplitSeq(t, "\n") {
			lines = append(lines, Line{Text: line})
		}
	}
	return lines
}
