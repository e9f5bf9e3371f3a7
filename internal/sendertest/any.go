package sendertest

import (
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// AnyNotice draws a notice of any action in which every text may be anything:
// empty, long, many lines, markup, control characters, broken UTF-8.
func AnyNotice(t *rapid.T) notice.Notice {
	text := func(label string) string { return anyText().Draw(t, label) }
	n := notice.Notice{
		Action:      rapid.SampledFrom([]incident.Action{incident.Open, incident.Remind, incident.Resolve, incident.SilenceEnded, "overflow"}).Draw(t, "action"),
		Environment: text("environment"), Title: text("title"), Summary: text("summary"), Source: text("source"),
		Owner: text("owner"), CostCenter: text("cost center"), OperatorAction: text("operator action"),
		Why: text("why"), Missing: rapid.Bool().Draw(t, "missing"), MayBeRepeat: rapid.Bool().Draw(t, "repeat"),
		IncidentKey: text("key"), DeliveryID: "d1-0123456789abcdef0123",
		Evidence: notice.Evidence{
			Count: rapid.Int64().Draw(t, "count"), Link: text("link"), VendorID: text("vendor id"), Stage: text("stage"),
			Deployment: text("deployment"), CorrelationID: text("correlation id"),
			Samples: rapid.SliceOfN(anyText(), 0, 20).Draw(t, "samples"),
		},
	}
	n.Kind = rapid.SampledFrom([]string{"error", "overflow"}).Draw(t, "kind")
	n.Zone = rapid.SampledFrom([]string{"", "Europe/Berlin", "Asia/Kathmandu", "Nowhere"}).Draw(t, "zone")
	n.Page = anyPage().Draw(t, "page")
	for i := range rapid.IntRange(0, 30).Draw(t, "entries") {
		n.Entries = append(n.Entries, notice.Entry{Summary: text("entry"), Page: anyPage().Draw(t, "its page"), Number: i})
	}
	for _, at := range []*time.Time{&n.Since, &n.Until, &n.Tick, &n.Evidence.FirstSeen, &n.Evidence.LastSeen} {
		*at = time.Unix(rapid.Int64Range(-1e10, 2e11).Draw(t, "time"), 0).UTC()
	}
	return n
}

// anyPage is the link to a page, or none; that of the longest key has about 1,600
// characters.
func anyPage() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		length := rapid.SampledFrom([]int{0, 0, 60, 1600, 2000}).Draw(t, "length")
		if length == 0 {
			return ""
		}
		return "https://pages.example.com/i/" + strings.Repeat("A", length)
	})
}

// anyText mixes short pieces with text that channels fail on, up to very long.
func anyText() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.StringN(0, 20, -1),
		rapid.SampledFrom([]string{
			"", " ", "\n", "\r\n", "\x00", "\x1b[31m", "\xff\xfe", "&", "<", ">", "<!channel>", "&lt;", "*", "|", "\"", "'", "𝟙", "é", "界",
			"https://a.example/?q=a|b&c=<d>", "javascript:alert(1)", "https://u:p@a.example", "</td><script>", "@here", "=?utf-8?q?x?=",
		}),
	)
	return rapid.Custom(func(t *rapid.T) string {
		s := ""
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			p := piece.Draw(t, "piece")
			for range rapid.SampledFrom([]int{1, 1, 1, 3, 400}).Draw(t, "times") {
				s += p
			}
		}
		return s
	})
}
