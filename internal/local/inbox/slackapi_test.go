package inbox_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/inbox"
)

// api calls a method of Slack's Web API and returns what it says.
func api(t *testing.T, box *inbox.Inbox, method, kind, token, body string) map[string]any {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, box.SlackAPI()+"/"+method, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var said map[string]any
	if err := json.Unmarshal(text, &said); err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %d %s", method, resp.StatusCode, text)
	}
	return said
}

const (
	jsonKind = "application/json; charset=utf-8"
	formKind = "application/x-www-form-urlencoded"
)

func TestSlackAPIIsAsStrictAsSlack(t *testing.T) {
	box := start(t, inbox.Options{})
	id := box.SlackChannel("a")
	good := `{"channel":"` + id + `","text":"x"}`
	for name, x := range map[string]struct{ method, kind, token, body, want string }{
		"token":      {"chat.postMessage", jsonKind, "xoxb-other", good, "invalid_auth"},
		"form":       {"chat.postMessage", formKind, inbox.SlackToken, good, "invalid_json"},
		"a slip":     {"chat.postMessage", jsonKind, inbox.SlackToken, strings.Replace(good, "text", "txt", 1), "invalid_json"},
		"channel":    {"chat.postMessage", jsonKind, inbox.SlackToken, strings.Replace(good, id, "C0", 1), "channel_not_found"},
		"no text":    {"chat.postMessage", jsonKind, inbox.SlackToken, strings.Replace(good, `"x"`, `""`, 1), "no_text"},
		"blocks":     {"chat.postMessage", jsonKind, inbox.SlackToken, strings.Replace(good, `"x"`, `"x","blocks":[{"type":"marquee"}]`, 1), "invalid_blocks"},
		"metadata":   {"chat.postMessage", jsonKind, inbox.SlackToken, strings.Replace(good, `"x"`, `"x","metadata":{"event_type":""}`, 1), "invalid_metadata_format"},
		"long":       {"chat.postMessage", jsonKind, inbox.SlackToken, strings.Replace(good, `"x"`, `"`+strings.Repeat("a", 40001)+`"`, 1), "msg_too_long"},
		"no thread":  {"chat.postMessage", jsonKind, inbox.SlackToken, strings.Replace(good, `"x"`, `"x","thread_ts":"1.1"`, 1), "thread_not_found"},
		"no message": {"chat.update", jsonKind, inbox.SlackToken, strings.Replace(good, `"x"`, `"x","ts":"1.1"`, 1), "message_not_found"},
		"history":    {"conversations.history", formKind, inbox.SlackToken, "channel=C0", "channel_not_found"},
		"as JSON":    {"conversations.history", jsonKind, inbox.SlackToken, "channel=" + id, "invalid_arguments"},
		"replies":    {"conversations.replies", formKind, inbox.SlackToken, "channel=" + id + "&ts=1.1", "thread_not_found"},
	} {
		if said := api(t, box, x.method, x.kind, x.token, x.body); said["ok"] != false || said["error"] != x.want {
			t.Errorf("%s: %v, want %s", name, said, x.want)
		}
	}
	if n := len(box.Messages()) + len(box.SlackPosts()); n != 0 {
		t.Errorf("%d of them accepted", n)
	}
}

// The history has a channel's messages, newest first, without those in threads;
// metadata only for who asks.
func TestSlackHistory(t *testing.T) {
	box := start(t, inbox.Options{})
	id := box.SlackChannel("a")
	post := func(rest string) string {
		said := api(t, box, "chat.postMessage", jsonKind, inbox.SlackToken, `{"channel":"`+id+`","text":"x"`+rest+`}`)
		ts, _ := said["ts"].(string)
		return ts
	}
	parent := post(`,"metadata":{"event_type":"ringonce_delivery","event_payload":{"delivery_id":"d1-0123456789abcdef0123"}}`)
	post(`,"thread_ts":"` + parent + `"`)
	last := post("")
	list := func(method, query string) (all []string, metadata int, cursor any) {
		said := api(t, box, method, formKind, inbox.SlackToken, "channel="+id+"&"+query)
		messages, _ := said["messages"].([]any)
		for _, m := range messages {
			m := m.(map[string]any)
			all = append(all, m["ts"].(string))
			if m["metadata"] != nil {
				metadata++
			}
		}
		if more, ok := said["response_metadata"].(map[string]any); ok {
			cursor = more["next_cursor"]
		}
		return all, metadata, cursor
	}
	if all, metadata, _ := list("conversations.history", "limit=9&include_all_metadata=true"); len(all) != 2 || all[0] != last || metadata != 1 {
		t.Errorf("history %q, %d with metadata", all, metadata)
	}
	if all, metadata, cursor := list("conversations.history", "limit=1"); len(all) != 1 || all[0] != last || metadata != 0 || cursor != "1" {
		t.Errorf("first page %q, %d with metadata, then %v", all, metadata, cursor)
	}
	if all, _, cursor := list("conversations.history", "limit=1&cursor=1"); len(all) != 1 || all[0] != parent || cursor != nil {
		t.Errorf("second page %q, then %v", all, cursor)
	}
	if all, _, _ := list("conversations.history", "limit=9&oldest=9999999999.000000"); len(all) != 0 {
		t.Errorf("of the future %q", all)
	}
	if all, _, _ := list("conversations.replies", "limit=9&ts="+parent); len(all) != 2 {
		t.Errorf("thread %q", all)
	}
}
