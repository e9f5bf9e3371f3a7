package inbox_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/local/inbox"
)

func TestFaultsComeInOrderAndOnlyToTheirTarget(t *testing.T) {
	box := start(t, inbox.Options{})
	a, b := box.WebhookURL("a"), box.WebhookURL("b")
	box.Script("a", inbox.ServerError(), inbox.RateLimited(30), inbox.Gone(), inbox.AcceptAndClose())
	if status, word, _ := call(t, b, `{"text":"x"}`); status != 200 || word != "ok" {
		t.Errorf("b: %d %s", status, word)
	}
	for _, want := range []string{"500 rollup_error ", "429 rate_limited 30", "404 no_service ", "0  ", "200 ok "} {
		status, word, head := call(t, a, `{"text":"x"}`)
		if got := fmt.Sprintf("%d %s %s", status, word, head.Get("Retry-After")); got != want {
			t.Errorf("a: %q, want %q", got, want)
		}
	}
	var targets []string
	for _, m := range box.Messages() {
		targets = append(targets, m.Target)
	}
	if !slices.Equal(targets, []string{"b", "a", "a"}) {
		t.Errorf("accepted from %q: want the cut one too", targets)
	}
	var statuses []int
	for _, c := range box.Calls() {
		statuses = append(statuses, c.Status)
	}
	if !slices.Equal(statuses, []int{200, 500, 429, 404, 0, 200}) {
		t.Errorf("calls answered %v", statuses)
	}
}

func TestFaultsOfMail(t *testing.T) {
	box := start(t, inbox.Options{})
	url := box.SESEndpoint() + "/v2/email/outbound-emails"
	box.Script("b@example.com", inbox.ServerError(), inbox.RateLimited(7), inbox.Fault{Status: 400, Word: "SendingPausedException"}, inbox.AcceptAndClose())
	for _, want := range []string{"500 InternalServiceErrorException ", "429 TooManyRequestsException 7", "400 SendingPausedException ", "0  ", "200  "} {
		status, _, head := call(t, url, goodMail)
		if got := fmt.Sprintf("%d %s %s", status, head.Get("X-Amzn-ErrorType"), head.Get("Retry-After")); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if n := len(box.Messages()); n != 2 {
		t.Errorf("%d accepted, want the cut one and the last", n)
	}
}

func TestHangUntilReleased(t *testing.T) {
	box := start(t, inbox.Options{})
	url, release := box.WebhookURL("a"), make(chan struct{})
	box.Script("a", inbox.Hang(release))
	answered := make(chan string)
	go func() {
		_, word, _ := call(t, url, `{"text":"x"}`)
		answered <- word
	}()
	select {
	case word := <-answered:
		t.Fatalf("answered %q before it was released", word)
	case release <- struct{}{}:
	}
	if word := <-answered; word != "ok" {
		t.Errorf("answered %q", word)
	}
}

// case C1, the provider's side: about one message a second after a burst.
func TestPace(t *testing.T) {
	var mu sync.Mutex
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	pass := func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
	}
	box := start(t, inbox.Options{Burst: 2, Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}})
	a, b := box.WebhookURL("a"), box.WebhookURL("b")
	for i, step := range []struct {
		url  string
		wait time.Duration
		want int
	}{
		{a, 0, 200},
		{a, 0, 200},
		{a, 0, 429},
		{b, 0, 200},
		{a, 999 * time.Millisecond, 429},
		{a, time.Millisecond, 200},
		{a, 0, 429},
		{a, time.Hour, 200},
		{a, 0, 200},
		{a, 0, 429},
	} {
		pass(step.wait)
		status, _, head := call(t, step.url, `{"text":"x"}`)
		if status != step.want || (status == 429) != (head.Get("Retry-After") == "1") {
			t.Errorf("step %d: %d, Retry-After %q, want %d", i, status, head.Get("Retry-After"), step.want)
		}
	}
}

// Arrivals are told one at a time, in the order in which they are kept, and who
// is told may look at the inbox.
func TestArrivals(t *testing.T) {
	var told []int
	var busy atomic.Bool
	var box *inbox.Inbox
	box = start(t, inbox.Options{OnArrival: func(m inbox.Message) {
		if !busy.CompareAndSwap(false, true) {
			t.Error("told of two messages at once")
		}
		defer busy.Store(false)
		for range 1000 {
			runtime.Gosched()
		}
		told = append(told, m.Seq)
		if n := len(box.Messages()); n != m.Seq {
			t.Errorf("message %d of %d", m.Seq, n)
		}
	}})
	url := box.WebhookURL("a")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { call(t, url, `{"text":"x"}`) })
	}
	wg.Wait()
	if len(told) != 20 || !slices.IsSorted(told) {
		t.Errorf("told %v", told)
	}
}

func TestDeliveryIDIsTheLastOne(t *testing.T) {
	box := start(t, inbox.Options{})
	call(t, box.WebhookURL("a"), `{"text":"quoted d1-00000000000000000000 ours d1-0123456789abcdef0123"}`)
	if got := box.Messages()[0].DeliveryID; got != "d1-0123456789abcdef0123" {
		t.Errorf("%q", got)
	}
}

func TestShowIsSafeForATerminal(t *testing.T) {
	box := start(t, inbox.Options{})
	call(t, box.WebhookURL("a"), `{"text":"x","blocks":[{"type":"header","text":{"type":"plain_text","text":"STILL FAILING \u001b[2J\u009b"}}]}`)
	m := box.Messages()[0]
	if got := m.Show(false); got != "┃ Slack a\n┃ STILL FAILING [2J\n" {
		t.Errorf("plain: %q", got)
	}
	coloured := m.Show(true)
	if !strings.Contains(coloured, "\x1b[33m┃\x1b[0m \x1b[1mSTILL FAILING [2J\x1b[0m") {
		t.Errorf("coloured: %q", coloured)
	}
}
