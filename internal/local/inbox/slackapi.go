package inbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// SlackToken is the token of the only bot that this inbox knows.
const SlackToken = "xoxb-ringonce-local-inbox"

// SlackAPI returns the address of Slack's Web API, for api_url.
func (b *Inbox) SlackAPI() string { return "http://" + b.addr + "/slack/api" }

// SlackChannel creates a channel of the given name and returns its id. Script makes
// posts to it fail under its name, updates under NAME/update and reads of its
// messages under NAME/history.
func (b *Inbox) SlackChannel(name string) string {
	sum := sha256.Sum256([]byte("ringonce local slack " + name))
	id := "C" + strings.ToUpper(hex.EncodeToString(sum[:5]))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.channels[id] = name
	return id
}

// SlackPost is a message in a channel.
type SlackPost struct {
	Channel    string
	TS         string
	ThreadTS   string
	DeliveryID string
	// Post is its present content, and Edits how often it has been updated.
	Post  *Post
	Edits int
}

// SlackPosts returns the messages in Slack's channels, oldest first.
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

// slackCall is the part of a call that this inbox understands.
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

// slackFailure answers as the Web API does: with status 200 and an error.
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

// slackUpdate answers chat.update. An update does not count as an arrival.
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

// readSlackCall reads a call as Slack would, or returns Slack's error for it.
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
