package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/channels"
	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/slack"
)

// room is the channel in which plain is a Slack bot.
const room = "C0PLAIN"

// bot is the product's own Slack bot over a workspace in memory.
type bot struct{ channels.SlackBot }

// botPost is what the workspace reads of a message. Its text holds a message of this
// package.
type botPost struct {
	Text     string          `json:"text"`
	ThreadTS string          `json:"thread_ts,omitempty"`
	Metadata json.RawMessage `json:"metadata"`
}

// renderBot freezes a message as the bot's channel wants it.
func renderBot(m message) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return json.Marshal(botPost{Text: string(text), Metadata: metadataOf(m.ID)})
}

func metadataOf(id string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"event_type":"ringonce_delivery","event_payload":{"delivery_id":%q}}`, id))
}

// withBot has plain be a Slack bot that may read its channel.
func (w *world) withBot() *workspace {
	to := w.cfg.Destinations[plain]
	to.Channel, to.ChannelID, to.APIURL, to.Token = config.ChannelSlackBot, room, "https://slack.example.com/api", "env:TOKEN"
	w.cfg.Destinations[plain] = to
	return &workspace{w: w, to: to, token: "xoxb-1", known: "xoxb-1"}
}

func (ws *workspace) bot() bot {
	return bot{channels.SlackBot{Bot: slack.NewBot(ws, ws.w.clock), Secrets: ws, Log: ws.w.log, Ledger: ws.w.store}}
}

type sentKey struct{}

// Send posts the message. What it is and when its lease ends goes along: the deadline
// that deliver sets is on a clock that does not run here.
func (b bot) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	return b.SlackBot.Send(context.WithValue(ctx, sentKey{}, d), to, d)
}

// Look is asked as Send is.
func (b bot) Look(ctx context.Context, to config.Destination, d delivery.Delivery) (delivery.Outcome, bool) {
	return b.SlackBot.Look(context.WithValue(ctx, sentKey{}, d), to, d)
}

// workspace is Slack's side of a bot.
type workspace struct {
	w      *world
	to     config.Destination
	posted []posted
	// token is the bot's now, known the one that is remembered of it.
	token, known string
}

// Resolve is the channels.Secrets'.
func (ws *workspace) Resolve(context.Context, string) (string, error) { return ws.known, nil }

// Invalidate has the token read again.
func (ws *workspace) Invalidate(string) { ws.known = ws.token }

// posted is one message in the room.
type posted struct {
	TS       string          `json:"ts"`
	Metadata json.RawMessage `json:"metadata"`
	thread   string
}

// RoundTrip answers one request to the Web API.
func (ws *workspace) RoundTrip(r *http.Request) (*http.Response, error) {
	d, _ := r.Context().Value(sentKey{}).(delivery.Delivery)
	body, err := io.ReadAll(r.Body)
	switch {
	case err != nil:
		return nil, err
	case processOf(r.Context()).dead:
		return nil, errKilled
	case !ws.w.now.Before(d.LeaseUntil):
		// The client's own deadline: nothing is sent any more.
		return nil, context.DeadlineExceeded
	}
	switch method := path.Base(r.URL.Path); method {
	case "chat.postMessage":
		return ws.post(r, d, body)
	case "chat.update":
		return ws.prepared(r, update, "update", func() any { return map[string]any{"ok": true} })
	default:
		return ws.prepared(r, look, "Look", func() any { return ws.list(method, body) })
	}
}

// prepared answers what a bot asks before it posts: where a message is, and to have
// the first one of a thread say how it stands.
func (ws *workspace) prepared(r *http.Request, c class, what string, answer func() any) (*http.Response, error) {
	w, ctx := ws.w, r.Context()
	f := w.at(ctx, c, what)
	if processOf(ctx).dead {
		return nil, errKilled
	}
	switch f {
	case tooMany:
		return answered(r, http.StatusTooManyRequests, refusal("ratelimited"))
	case serverError:
		return answered(r, http.StatusInternalServerError, refusal("internal_error"))
	case refused:
		return answered(r, http.StatusOK, refusal(map[class]string{look: "missing_scope", update: "message_not_found"}[c]))
	case hang:
		w.now = w.now.Add(10 * time.Second)
		return unanswered(r)
	case rotated:
		ws.token += "1"
	}
	if r.Header.Get("Authorization") != "Bearer "+ws.token {
		return answered(r, http.StatusOK, refusal("invalid_auth"))
	}
	got := answer()
	switch f {
	case unlisted:
		got = map[string]any{"ok": true}
	case lostAnswer:
		return unanswered(r)
	case killAsked:
		processOf(ctx).dead = true
	case asleepAsked:
		w.sleepPastTheLease()
	}
	return answered(r, http.StatusOK, got)
}

// list answers conversations.history and conversations.replies: newest first.
func (ws *workspace) list(method string, body []byte) any {
	q, err := url.ParseQuery(string(body))
	if err != nil {
		panic(err)
	}
	thread := q.Get("ts")
	if method == "conversations.history" {
		thread = ""
	}
	oldest, _ := strconv.ParseFloat(q.Get("oldest"), 64)
	var messages []posted
	for _, p := range slices.Backward(ws.posted) {
		at, _ := strconv.ParseFloat(p.TS, 64)
		if at >= oldest && p.thread == thread {
			messages = append(messages, p)
		}
	}
	return map[string]any{"ok": true, "messages": messages}
}

// post takes a message, as any service does.
func (ws *workspace) post(r *http.Request, d delivery.Delivery, body []byte) (*http.Response, error) {
	var p botPost
	var m message
	if err := json.Unmarshal(body, &p); err != nil {
		panic(err)
	}
	if err := json.Unmarshal([]byte(p.Text), &m); err != nil {
		panic(err)
	}
	if r.Header.Get("Authorization") != "Bearer "+ws.token {
		return answered(r, http.StatusOK, refusal("invalid_auth"))
	}
	var ts string
	o := ws.w.hand(r.Context(), ws.to, d, m, func() {
		ts = fmt.Sprintf("%d.%06d", ws.w.now.Unix(), len(ws.posted))
		ws.posted = append(ws.posted, posted{TS: ts, Metadata: p.Metadata, thread: p.ThreadTS})
	})
	switch o.Class {
	case delivery.Accepted:
		return answered(r, http.StatusOK, map[string]any{"ok": true, "channel": room, "ts": ts})
	case delivery.Ambiguous:
		return unanswered(r)
	case delivery.Permanent:
		return answered(r, http.StatusOK, refusal(map[int]string{400: "invalid_blocks", 404: "channel_not_found"}[o.Status]))
	default:
		return answered(r, o.Status, refusal("service_unavailable"))
	}
}

func refusal(word string) any { return map[string]any{"ok": false, "error": word} }

func answered(r *http.Request, status int, body any) (*http.Response, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	h := http.Header{}
	if status == http.StatusTooManyRequests {
		h.Set("Retry-After", "30")
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(string(text))), Request: r}, nil
}

// unanswered is a request that went out and that nothing came back of.
func unanswered(r *http.Request) (*http.Response, error) {
	if t := httptrace.ContextClientTrace(r.Context()); t != nil && t.WroteHeaders != nil {
		t.WroteHeaders()
	}
	return nil, context.DeadlineExceeded
}
