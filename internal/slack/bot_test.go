package slack_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/slack"
)

func startBot(t testing.TB) (*inbox.Inbox, slack.BotTo) {
	t.Helper()
	box, err := inbox.Start(inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	return box, slack.BotTo{APIURL: box.SlackAPI(), Token: inbox.SlackToken, Channel: box.SlackChannel("alerts")}
}

func example(name string) notice.Notice {
	all := sendertest.Examples()
	return all[slices.IndexFunc(all, func(e sendertest.Example) bool { return e.Name == name })].Notice
}

// episode is a bot in the middle of an episode whose open has been posted.
type episode struct {
	t    *testing.T
	box  *inbox.Inbox
	to   slack.BotTo
	bot  *slack.Bot
	open notice.Notice
	ref  slack.Ref
}

func opened(t *testing.T) *episode {
	t.Helper()
	e := &episode{t: t, bot: slack.NewBot(nil, time.Now), open: example("open")}
	e.box, e.to = startBot(t)
	o := e.send(e.open, slack.Context{})
	if o.Class != delivery.Accepted {
		t.Fatalf("the open: %+v", o)
	}
	e.ref = slack.ParseRef(o.ProviderID)
	return e
}

func (e *episode) send(n notice.Notice, c slack.Context) delivery.Outcome {
	e.t.Helper()
	c.DeliveryID = n.DeliveryID
	return e.bot.Send(e.t.Context(), slack.RenderBot(n), e.to, c)
}

func (e *episode) follow() slack.Context {
	return slack.Context{First: e.ref, FirstID: e.open.DeliveryID}
}

// What follows stands in the thread of the open, and the open's message shows
// how things are now.
func TestThreadAndUpdate(t *testing.T) {
	e := opened(t)
	for i, name := range []string{"remind", "resolve"} {
		if o := e.send(example(name), e.follow()); o.Class != delivery.Accepted || slack.ParseRef(o.ProviderID) == e.ref {
			t.Fatalf("%s: %+v", name, o)
		}
		posts := e.box.SlackPosts()
		if len(posts) != i+2 || posts[i+1].ThreadTS != e.ref.TS || posts[i+1].DeliveryID != example(name).DeliveryID {
			t.Fatalf("%s: posts %+v", name, posts)
		}
		if posts[0].Edits != i+1 || posts[0].DeliveryID != e.open.DeliveryID || posts[0].Post.Fallback != posts[i+1].Post.Fallback {
			t.Errorf("%s: the first message is %+v", name, posts[0])
		}
	}
	if n := len(e.box.Messages()); n != 3 {
		t.Errorf("%d messages arrived", n)
	}
	if first := e.box.SlackPosts()[0].Post; !strings.Contains(first.Shown[0].Text, "RESOLVED") {
		t.Errorf("the first message shows %q", first.Shown[0].Text)
	}
}

// Whoever deletes the open's message gets what follows as a message of its own.
func TestDeletedParent(t *testing.T) {
	e := opened(t)
	e.box.DeleteSlackPost(e.ref.TS)
	if o := e.send(example("resolve"), e.follow()); o.Class != delivery.Accepted {
		t.Fatalf("%+v", o)
	}
	if posts := e.box.SlackPosts(); len(posts) != 1 || posts[0].ThreadTS != "" {
		t.Errorf("posts %+v", posts)
	}
	// Slack may take an answer to a message that is gone, and show it nowhere.
	if calls := e.box.Calls(); len(calls) != 3 {
		t.Errorf("calls %+v: want the open, the update and one post", calls)
	}
}

// A thread that is found gone only by the post itself is no reason to lose the
// message either.
func TestThreadGoneAtThePost(t *testing.T) {
	for _, word := range []string{"thread_not_found", "cannot_reply_to_message", "restricted_action_thread_locked"} {
		e := opened(t)
		e.box.Script("alerts", inbox.Fault{Status: 200, Word: word})
		if o := e.send(example("resolve"), e.follow()); o.Class != delivery.Accepted {
			t.Errorf("%s: %+v", word, o)
		}
		if posts := e.box.SlackPosts(); len(posts) != 2 || posts[1].ThreadTS != "" {
			t.Errorf("%s: posts %+v", word, posts)
		}
	}
}

// An update that Slack does not allow is left out; one that fails for now puts
// the whole message off, and nothing is posted.
func TestUpdateFails(t *testing.T) {
	for _, x := range []struct {
		fault inbox.Fault
		class delivery.Class
		code  string
	}{
		{inbox.Fault{Status: 200, Word: "edit_window_closed"}, delivery.Accepted, "ok"},
		{inbox.Fault{Status: 200, Word: "cant_update_message"}, delivery.Accepted, "ok"},
		{inbox.Fault{Status: 200, Word: "internal_error"}, delivery.Temporary, "internal_error"},
		{inbox.ServerError(), delivery.Temporary, "http_500"},
		{inbox.RateLimited(30), delivery.RateLimited, "rate_limited"},
		{inbox.Fault{Close: true}, delivery.Temporary, "connection_closed_too_early"},
	} {
		e := opened(t)
		e.box.Script("alerts/update", x.fault)
		o := e.send(example("resolve"), e.follow())
		want := 1
		if x.class == delivery.Accepted {
			want = 2
		}
		if o.Class != x.class || o.Code != x.code || len(e.box.SlackPosts()) != want {
			t.Errorf("%+v: %+v, %d posts", x.fault, o, len(e.box.SlackPosts()))
		}
	}
}

// case D4: Slack takes the message and cuts the connection. The next try finds
// it by the delivery id in its metadata and posts nothing.
func TestAcceptedThenCutIsFound(t *testing.T) {
	t.Run("open", func(t *testing.T) {
		box, to := startBot(t)
		e := &episode{t: t, box: box, to: to, bot: slack.NewBot(nil, time.Now)}
		box.Script("alerts", inbox.AcceptAndClose())
		before := time.Now()
		if o := e.send(example("open"), slack.Context{}); o.Class != delivery.Ambiguous {
			t.Fatalf("first: %+v", o)
		}
		o := e.send(example("repeat"), slack.Context{Since: before})
		if o.Class != delivery.Accepted || o.Code != "found" || o.ProviderID != to.Channel+":"+box.SlackPosts()[0].TS || len(box.Messages()) != 1 {
			t.Errorf("second: %+v, %d messages", o, len(box.Messages()))
		}
	})
	for _, deleted := range []bool{false, true} {
		e := opened(t)
		if deleted {
			e.box.DeleteSlackPost(e.ref.TS)
		}
		e.box.Script("alerts", inbox.AcceptAndClose())
		before := time.Now()
		if o := e.send(example("resolve"), e.follow()); o.Class != delivery.Ambiguous {
			t.Fatalf("first: %+v", o)
		}
		c := e.follow()
		c.Since = before
		if o := e.send(example("resolve"), c); o.Class != delivery.Accepted || o.Code != "found" || len(e.box.Messages()) != 2 {
			t.Errorf("parent deleted %v, second: %+v, %d messages", deleted, o, len(e.box.Messages()))
		}
	}
}

// A message that did not arrive is posted by the next try, wherever the look at
// the channel ends.
func TestNotArrivedIsSentAgain(t *testing.T) {
	for name, history := range map[string][]inbox.Fault{
		"may look":     nil,
		"may not look": {{Status: 200, Word: "missing_scope"}},
	} {
		box, to := startBot(t)
		e := &episode{t: t, box: box, to: to, bot: slack.NewBot(nil, time.Now)}
		other := example("open")
		for i := range 450 { // more than a page of others
			other.DeliveryID = "d1-" + strings.Repeat("0", 17) + string([]byte{byte('0' + i/100), byte('0' + i/10%10), byte('0' + i%10)})
			e.send(other, slack.Context{})
		}
		box.Script("alerts/history", history...)
		if o := e.send(example("repeat"), slack.Context{Since: time.Now()}); o.Class != delivery.Accepted || o.Code != "ok" {
			t.Errorf("%s: %+v", name, o)
		}
		if n := len(box.Messages()); n != 451 {
			t.Errorf("%s: %d messages", name, n)
		}
	}
}

// When Slack does not answer the look, nothing is sent: the next try looks
// again.
func TestLookFails(t *testing.T) {
	for _, x := range []struct {
		fault inbox.Fault
		class delivery.Class
	}{
		{inbox.ServerError(), delivery.Temporary},
		{inbox.RateLimited(60), delivery.RateLimited},
		{inbox.Fault{Close: true}, delivery.Temporary},
		{inbox.Fault{Status: 200, Word: "internal_error"}, delivery.Temporary},
	} {
		box, to := startBot(t)
		e := &episode{t: t, box: box, to: to, bot: slack.NewBot(nil, time.Now)}
		box.Script("alerts/history", x.fault)
		if o := e.send(example("repeat"), slack.Context{Since: time.Now()}); o.Class != x.class || len(box.Messages()) != 0 {
			t.Errorf("%+v: %+v, %d messages", x.fault, o, len(box.Messages()))
		}
	}
}

// A destination that has moved to another channel does not answer in the old
// one's thread.
func TestMovedChannel(t *testing.T) {
	e := opened(t)
	e.to.Channel = e.box.SlackChannel("elsewhere")
	if o := e.send(example("resolve"), e.follow()); o.Class != delivery.Accepted {
		t.Fatalf("%+v", o)
	}
	posts := e.box.SlackPosts()
	if len(posts) != 2 || posts[1].Channel != e.to.Channel || posts[1].ThreadTS != "" || posts[0].Edits != 0 {
		t.Errorf("posts %+v", posts)
	}
}

func TestRefs(t *testing.T) {
	for s, want := range map[string]slack.Ref{
		"C024BE91L:1503435956.000247": {Channel: "C024BE91L", TS: "1503435956.000247"},
		"":                            {}, "C024BE91L": {}, "1503435956.000247": {}, "C024BE91L:x": {}, "0100000000000000-00000001-000000": {},
	} {
		if got := slack.ParseRef(s); got != want || (want != slack.Ref{} && got.String() != s) {
			t.Errorf("ParseRef(%q) = %+v", s, got)
		}
	}
}

func TestWhatABotCannotSendIsRefusedHere(t *testing.T) {
	good := slack.RenderBot(example("open"))
	for _, x := range []struct {
		payload          string
		url, token, code string
	}{
		{`{"text":`, "https://slack.com/api", botToken, "bad_payload"},
		{`{}`, "https://slack.com/api", botToken, "bad_payload"},
		{string(good), "http://slack.com/api", botToken, "bad_address"},
		{string(good), "https://slack.com/api", " ", "no_token"},
	} {
		o := slack.NewBot(nil, clock).Send(t.Context(), []byte(x.payload), slack.BotTo{APIURL: x.url, Token: x.token, Channel: "C024BE91L"}, slack.Context{})
		want := delivery.Misconfiguration(0, x.code)
		if x.code == "bad_payload" {
			want = delivery.Outcome{Class: delivery.Permanent, Code: x.code}
		}
		if o != want {
			t.Errorf("%+v, want %+v", o, want)
		}
	}
}
