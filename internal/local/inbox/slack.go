package inbox

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
)

// maxRequest bounds how much of a request is read, in bytes.
const maxRequest = 1 << 20

// slack answers as an incoming webhook: a status and one word of plain text.
func (b *Inbox) slack(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	name, known := b.webhooks[r.URL.Path]
	b.mu.Unlock()
	if !known {
		b.answer(w, Call{}, http.StatusNotFound, "no_service")
		return
	}
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	post, word := readPost(r, body)
	call := Call{Target: name, DeliveryID: lastID(string(body))}
	m := Message{Channel: Slack, Target: name, DeliveryID: call.DeliveryID, Body: body, Post: post}

	f := b.nextFault(name)
	switch {
	case f.Accept && word == "":
		b.accept(m)
		call.Accepted = true
	case f.Status == http.StatusTooManyRequests:
		w.Header().Set("Retry-After", f.RetryAfter)
		f.Word = "rate_limited"
	case f.Status >= 500 && f.Word == "":
		f.Word = "rollup_error"
	}
	b.finish(call, f, r)
	switch {
	case f.Status != 0:
		b.answer(w, call, f.Status, f.Word)
	case !b.take(name):
		w.Header().Set("Retry-After", "1")
		b.answer(w, call, http.StatusTooManyRequests, "rate_limited")
	case word != "":
		b.answer(w, call, http.StatusBadRequest, word)
	default:
		if !call.Accepted {
			b.accept(m)
			call.Accepted = true
		}
		b.answer(w, call, http.StatusOK, "ok")
	}
}

// finish records a call that gets no answer, and lets the fault happen.
func (b *Inbox) finish(call Call, f Fault, r *http.Request) {
	defer func() {
		if gone := recover(); gone != nil {
			b.called(call)
			panic(gone)
		}
	}()
	f.misbehave(r)
}

func (b *Inbox) answer(w http.ResponseWriter, call Call, status int, word string) {
	call.Status = status
	b.called(call)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, word)
}

// readPost reads a request as Slack would, or returns Slack's error for it.
func readPost(r *http.Request, body []byte) (*Post, string) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); r.Method != http.MethodPost || kind != "application/json" {
		return nil, "invalid_payload"
	}
	var p payload
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return nil, "invalid_payload"
	}
	return p.post()
}
