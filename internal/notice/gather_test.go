package notice_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

var twelve = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func about(a incident.Action, id string) notice.Notice {
	n := notice.Notice{
		Action: a, Environment: "production", Title: "Payment fails", Summary: "Payment " + id + " fails",
		Since: twelve, Tick: twelve.Add(20 * time.Minute), DeliveryID: "d1-" + id + "-" + string(a), Owner: "payments", Source: "sentry",
	}
	if a == incident.Resolve {
		n.Until = n.Tick
	}
	return n
}

func TestAnOpenIsToldWithWhatFollowedIt(t *testing.T) {
	open, remind, resolve := about(incident.Open, "x"), about(incident.Remind, "x"), about(incident.Resolve, "x")
	if got := notice.Together(open, nil); got.Unannounced || got.Action != incident.Open {
		t.Errorf("nothing followed, and it is %+v", got)
	}
	over := notice.Together(open, []notice.Notice{remind, resolve})
	w := over.Words()
	if w.Headline != "FAILED AND RESOLVED in production" || w.Mark != "🟢" || over.DeliveryID != open.DeliveryID {
		t.Errorf("an incident that came and went is told as %q, %q", w.Mark, w.Headline)
	}
	if strings.Join(over.Tells, " ") != remind.DeliveryID+" "+resolve.DeliveryID {
		t.Errorf("it tells %v", over.Tells)
	}
	// A second combination still covers what the first covered.
	again := notice.Together(notice.Together(open, []notice.Notice{remind}), []notice.Notice{resolve})
	if !slices.Equal(again.Tells, over.Tells) {
		t.Errorf("put together twice it tells %v", again.Tells)
	}
	resolve.Missing = true
	if w := notice.Together(open, []notice.Notice{resolve}).Words(); w.Headline != "FAILED, NO LONGER REPORTED in production" {
		t.Errorf("headline %q", w.Headline)
	}
	live := notice.Together(open, []notice.Notice{remind})
	if w := live.Words(); w.Headline != "FAILING in production" || !strings.Contains(w.Why, "still failing after 20 minutes; not told before") {
		t.Errorf("one that goes on is told as %q, %q", w.Headline, w.Why)
	}
}

func TestADigestTellsOpenedAndResolvedApart(t *testing.T) {
	var all []notice.Notice
	for i := range 12 {
		all = append(all, about(incident.Open, fmt.Sprintf("o%02d", i)))
	}
	all = append(all, about(incident.Remind, "r"), about(incident.Resolve, "h"),
		notice.Together(about(incident.Open, "b"), []notice.Notice{about(incident.Resolve, "b")}))
	w := notice.Digest("d1-all", all).Words()
	if w.Headline != "12 OPENED, 1 STILL FAILING, 2 RESOLVED in production" || w.Mark != "🔴" || w.Delivery != "d1-all" {
		t.Errorf("%s %q of %s", w.Mark, w.Headline, w.Delivery)
	}
	want := `Opened (12)
• Payment o00 fails, since 12:00 UTC
• Payment o01 fails, since 12:00 UTC
• Payment o02 fails, since 12:00 UTC
• Payment o03 fails, since 12:00 UTC
• Payment o04 fails, since 12:00 UTC
+7 more
Still failing (1)
• Payment r fails, since 12:00 UTC
Resolved (1)
• Payment h fails, for 20 minutes until 12:20 UTC
Failed and resolved, not told before (1)
• Payment b fails, for 20 minutes until 12:20 UTC`
	if w.Summary != want {
		t.Errorf("the list is\n%s", w.Summary)
	}
	if w := notice.Digest("d1-all", all[13:]).Words(); w.Mark != "🟢" {
		t.Errorf("what is all over has the mark %s", w.Mark)
	}
}

// TestCaseC6ADigestFitsWhateverItHolds is case C6 for digests: whole items and "+N
// more", within what every channel shows uncut.
func TestCaseC6ADigestFitsWhateverItHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		actions := []incident.Action{incident.Open, incident.Remind, incident.Resolve}
		var all []notice.Notice
		for i := range rapid.IntRange(1, 99).Draw(t, "items") {
			n := about(rapid.SampledFrom(actions).Draw(t, "action"), fmt.Sprint(i))
			n.Summary = strings.Repeat(rapid.StringN(0, 40, -1).Draw(t, "summary")+"&<>\n", rapid.IntRange(0, 30).Draw(t, "times"))
			n.Unannounced = rapid.Bool().Draw(t, "unannounced")
			all = append(all, n)
		}
		d := notice.Digest("d1-all", all)
		if n := len(d.Entries); n != len(all) {
			t.Fatalf("%d of %d are in it", n, len(all))
		}
		escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(d.Summary)
		if lines := strings.Count(d.Summary, "\n") + 1; lines > 30 || notice.Plain.Length(escaped) > 2000 {
			t.Fatalf("%d lines, %d characters", lines, notice.Plain.Length(escaped))
		}
		for line := range strings.SplitSeq(d.Summary, "\n") {
			if strings.HasPrefix(line, "•") && !strings.Contains(line, "UTC") {
				t.Fatalf("a half item: %q", line)
			}
		}
	})
}

func TestWhatIsLateOrForAnotherSaysSo(t *testing.T) {
	n := about(incident.Open, "x")
	n.Why = "opened after 1 failing poll"
	n.DecidedAt = twelve
	n.For, n.ForWhy = "slack-payments", "refused for good: no_service"
	want := "opened after 1 failing poll; told late: it could not be delivered when it was decided, 1 Mar 2026, 12:00 UTC; " +
		"destination slack-payments could not be told (refused for good: no_service)"
	if got := n.Words().Why; got != want {
		t.Errorf("why: %q", got)
	}
	refusal := notice.Refusal(n, "d1-r", "slack-payments", "no_service", twelve)
	r := refusal.Words()
	if r.Headline != "A DESTINATION REFUSES MESSAGES in production" || !strings.Contains(r.Summary, "no_service") || r.Todo.Value == "" {
		t.Errorf("a refusal is told as %+v", r)
	}
	again := notice.Restored(refusal, "d1-s", "slack-payments", twelve.Add(time.Hour))
	if w := again.Words(); w.Headline != "A DESTINATION TAKES MESSAGES AGAIN in production" || w.Mark != "🟢" || strings.Contains(w.Summary, "no_service") ||
		w.Todo.Value != "" || again.Subject() != refusal.Subject() {
		t.Errorf("its end is told as %+v", w)
	}
}

// If there are pages, the listed items of a digest are numbered, and each number links to
// its incident. Items that are not listed have no number.
func TestADigestsNumbersAreLinks(t *testing.T) {
	var all []notice.Notice
	for i := range 40 {
		n := about(incident.Open, fmt.Sprintf("o%02d", i))
		n.Page = "https://pages.example.com/i/" + n.DeliveryID
		all = append(all, n)
	}
	over := about(incident.Resolve, "h")
	over.Page = "https://pages.example.com/i/" + over.DeliveryID
	d := notice.Digest("d1-x", append(all, over))
	links := d.Words().Pages
	if len(links) < 5 || len(links) > 24 {
		t.Fatalf("%d links:\n%s", len(links), d.Summary)
	}
	for _, l := range links {
		id := strings.Split(strings.TrimPrefix(l.Value, "https://pages.example.com/i/d1-"), "-")[0]
		if !strings.Contains(d.Summary, "\n"+l.Label+". Payment "+id+" fails, ") {
			t.Errorf("number %s leads to %s:\n%s", l.Label, id, d.Summary)
		}
	}
	if last := links[len(links)-1]; !strings.Contains(last.Value, over.DeliveryID) {
		t.Errorf("the last link is %v, want that of what is over", last)
	}
}

// A message that covers further items still covers the earlier ones.
func TestTogetherTwice(t *testing.T) {
	open, remind, resolve := about(incident.Open, "x"), about(incident.Remind, "x"), about(incident.Resolve, "x")
	open.DeliveryID, remind.DeliveryID, resolve.DeliveryID = "d1-open", "d1-remind", "d1-resolve"
	once := notice.Together(open, []notice.Notice{remind})
	twice := notice.Together(once, []notice.Notice{resolve})
	if got := strings.Join(twice.Tells, " "); got != "d1-remind d1-resolve" || len(once.Tells) != 1 || twice.DeliveryID != "d1-open" {
		t.Errorf("it tells %s", got)
	}
}
