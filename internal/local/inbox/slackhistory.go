package inbox

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

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
