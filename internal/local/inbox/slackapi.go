package inbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// SlackToken is the token of the one bot that this inbox knows.
const SlackToken = "xoxb-ringonce-local-inbox"

// SlackAPI is the address of Slack's Web API, for api_url.
func (b *Inbox) SlackAPI() string { return "http://" + b.addr + "/slack/api" }

// SlackChannel opens a channel of the given name and returns its id. Script
// makes posts to it go wrong under its name, updates under NAME/update and
// looks at its messages under NAME/history.
func (b *Inbox) SlackChannel(name string) string {
	sum := sha256.Sum256([]byte("ringonce local slack " + name))
	id := "C" + strings.ToUpper(hex.EncodeToString(sum[:5]))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.channels[id] = name
	return id
}

// SlackPost is a message as it stands in a channel.
type SlackPost struct {
	Channel    string
	TS         string
	ThreadTS   string
	DeliveryID string
	// Post is what it shows now, and Edits how often it has been updated.
	Post  *Post
	Edits int
}

// SlackPosts returns what stands in Slack's channels, oldest first.
func (b *Inbox) SlackPosts() []SlackPost {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.posts)
}

// DeleteSlackPost deletes a message, as a person may.
func (b *Inbox) DeleteSlackPost(ts string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.posts = slices.DeleteFunc(b.posts, func(p SlackPost) bool { return p.TS == ts })
}

// slackCall is the part of a call that this inbox knows.
type slackCall struct {
	Channel  string `json:"channel"`
	TS       string `json:"ts"`
	ThreadTS string `json:"thread_ts"`
	payload
	Metadata *slackMetadata `json:"metadata"`
}

type slackMetadata struct {
	Type    string         `json:"event_type"`
	Payload map[string]any `json:"event_payload"`
}

func (c slackCall) deliveryID() string {
	if c.Metadata == nil {
		return ""
	}
	id, _ := c.Metadata.Payload["delivery_id"].(string)
	return id
}

// slackFailure answers as the Web API does: with status 200 and a word.
func slackFailure(word string) reply {
	return reply{status: http.StatusOK, body: `{"ok":false,"error":` + quote(word) + `}`}
}

func slackFault(f Fault) reply {
	word := f.Word
	if word == "" && f.Status == http.StatusTooManyRequests {
		word = "ratelimited"
	}
	a := slackFailure(word)
	a.status, a.header = f.Status, retryAfter(f)
	return a
}

var slackLimited = reply{
	status: http.StatusTooManyRequests, header: map[string]string{"Retry-After": "1"}, body: `{"ok":false,"error":"ratelimited"}`,
}

// slackPost answers chat.postMessage.
func (b *Inbox) slackPost(w http.ResponseWriter, r *http.Request) {
	c, body, post, word := b.readSlackCall(r)
	var ts string
	s := service{
		call:     Call{Target: b.channelName(c.Channel), DeliveryID: c.deliveryID()},
		message:  Message{Channel: SlackBot, Target: b.channelName(c.Channel), DeliveryID: c.deliveryID(), Body: body, Post: post},
		fault:    slackFault,
		limited:  slackLimited,
		accepted: func(Message) reply { return b.posted(c, ts) },
		keep:     func(m Message) { ts = b.keepPost(c, m) },
	}
	switch {
	case word != "":
	case c.TS != "":
		word = "invalid_arguments"
	case c.ThreadTS != "" && !b.hasPost(c.Channel, c.ThreadTS):
		word = "thread_not_found"
	}
	if word != "" {
		refusal := slackFailure(word)
		s.refusal = &refusal
	}
	b.receive(w, r, s)
}

func (b *Inbox) posted(c slackCall, ts string) reply {
	return reply{status: http.StatusOK, body: `{"ok":true,"channel":` + quote(c.Channel) + `,"ts":` + quote(ts) + `}`}
}

func (b *Inbox) keepPost(c slackCall, m Message) string {
	ts := fmt.Sprintf("%d.%06d", m.At.Unix(), m.Seq)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.posts = append(b.posts, SlackPost{Channel: c.Channel, TS: ts, ThreadTS: c.ThreadTS, DeliveryID: m.DeliveryID, Post: m.Post})
	return ts
}

func (b *Inbox) hasPost(channel, ts string) bool {
	return slices.ContainsFunc(b.SlackPosts(), func(p SlackPost) bool { return p.Channel == channel && p.TS == ts })
}

// slackUpdate answers chat.update. An update is no arrival.
func (b *Inbox) slackUpdate(w http.ResponseWriter, r *http.Request) {
	c, _, post, word := b.readSlackCall(r)
	call := Call{Target: b.channelName(c.Channel) + "/update", DeliveryID: c.deliveryID()}
	f := b.nextFault(call.Target)
	b.finish(call, f, r)
	switch {
	case f.Status != 0:
		b.reply(w, call, slackFault(f))
	case word != "":
		b.reply(w, call, slackFailure(word))
	case !b.edit(c, post):
		b.reply(w, call, slackFailure("message_not_found"))
	default:
		b.reply(w, call, b.posted(c, c.TS))
	}
}

func (b *Inbox) edit(c slackCall, post *Post) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.posts, func(p SlackPost) bool { return p.Channel == c.Channel && p.TS == c.TS })
	if i < 0 {
		return false
	}
	b.posts[i].Post, b.posts[i].DeliveryID = post, c.deliveryID()
	b.posts[i].Edits++
	return true
}

// readSlackCall reads a call as Slack would, or gives Slack's word against it.
func (b *Inbox) readSlackCall(r *http.Request) (c slackCall, body []byte, post *Post, word string) {
	body, _ = io.ReadAll(io.LimitReader(r.Body, maxRequest))
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(&c); {
	case r.Header.Get("Authorization") != "Bearer "+SlackToken:
		return c, body, nil, "invalid_auth"
	case !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"), err != nil:
		return c, body, nil, "invalid_json"
	case b.channelName(c.Channel) == "":
		return c, body, nil, "channel_not_found"
	case c.Metadata != nil && (c.Metadata.Type == "" || c.Metadata.Payload == nil):
		return c, body, nil, "invalid_metadata_format"
	}
	post, word = c.post()
	if word == "invalid_payload" {
		word = "msg_too_long"
	}
	return c, body, post, word
}

func (b *Inbox) channelName(id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.channels[id]
}

// slackHistory answers conversations.history, and slackReplies
// conversations.replies: newest first, a page at a time.
func (b *Inbox) slackHistory(w http.ResponseWriter, r *http.Request) {
	b.slackList(w, r, func(p SlackPost, _ url.Values) bool { return p.ThreadTS == "" }, false)
}

func (b *Inbox) slackReplies(w http.ResponseWriter, r *http.Request) {
	b.slackList(w, r, func(p SlackPost, q url.Values) bool { return p.TS == q.Get("ts") || p.ThreadTS == q.Get("ts") }, true)
}

func (b *Inbox) slackList(w http.ResponseWriter, r *http.Request, match func(SlackPost, url.Values) bool, thread bool) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	q, err := url.ParseQuery(string(body))
	call := Call{Target: b.channelName(q.Get("channel")) + "/history"}
	f := b.nextFault(call.Target)
	b.finish(call, f, r)
	switch {
	case f.Status != 0:
		b.reply(w, call, slackFault(f))
	case err != nil || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded":
		b.reply(w, call, slackFailure("invalid_arguments"))
	case r.Header.Get("Authorization") != "Bearer "+SlackToken:
		b.reply(w, call, slackFailure("invalid_auth"))
	case b.channelName(q.Get("channel")) == "":
		b.reply(w, call, slackFailure("channel_not_found"))
	case thread && !b.hasPost(q.Get("channel"), q.Get("ts")):
		b.reply(w, call, slackFailure("thread_not_found"))
	default:
		b.reply(w, call, b.listed(q, match))
	}
}

func (b *Inbox) listed(q url.Values, match func(SlackPost, url.Values) bool) reply {
	var found []map[string]any
	posts := b.SlackPosts()
	slices.Reverse(posts)
	for _, p := range posts {
		if p.Channel != q.Get("channel") || !match(p, q) || p.TS < q.Get("oldest") {
			continue
		}
		m := map[string]any{"type": "message", "ts": p.TS, "text": p.Post.Fallback}
		if q.Get("include_all_metadata") == "true" && p.DeliveryID != "" {
			m["metadata"] = map[string]any{"event_type": "ringonce_delivery", "event_payload": map[string]string{"delivery_id": p.DeliveryID}}
		}
		found = append(found, m)
	}
	limit, _ := strconv.Atoi(q.Get("limit"))
	from, _ := strconv.Atoi(q.Get("cursor"))
	end := min(from+max(limit, 1), len(found))
	answer := map[string]any{"ok": true, "messages": found[min(from, end):end], "has_more": end < len(found)}
	if end < len(found) {
		answer["response_metadata"] = map[string]string{"next_cursor": strconv.Itoa(end)}
	}
	text, _ := json.Marshal(answer)
	return reply{status: http.StatusOK, body: string(text)}
}
