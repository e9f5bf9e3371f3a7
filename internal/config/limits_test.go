package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestLimits: one more than allowed is refused, just as many are not.
func TestLimits(t *testing.T) {
	minimal := string(mustRead(testdata + "good/minimal.yaml"))
	source := minimal[strings.Index(minimal, "  - id: status"):]
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	destinations := func(n int) string {
		s := strings.Replace(minimal, "destinations: [slack]", "destinations: [slack"+repeat(n-1, ", s%d")+"]", 1)
		return strings.Replace(s, "destinations:\n", "destinations:\n"+repeat(n-1, "  s%d: {channel: slack_webhook, webhook_url: \"env:HOOK\"}\n"), 1)
	}
	recipients := func(n int) string {
		return strings.Replace(minimal, `{channel: slack_webhook, webhook_url: "env:SLACK_WEBHOOK"}`,
			"{channel: ses, from: a@example.com, to: [b@example.com"+repeat(n-1, ", b%d@example.com")+"]}", 1)
	}
	sources := func(n int) string {
		return minimal + repeat(n-1, strings.Replace(source, "status\n", "status-%d\n", 1))
	}
	for name, c := range map[string]struct {
		file  func(n int) string
		limit int
		want  string
	}{
		"destinations": {destinations, maxDestinations, "more than 20 destinations"},
		"recipients":   {recipients, maxRecipients, "more than 30 recipients"},
		"sources":      {sources, maxSources, "more than 200 sources"},
	} {
		if _, _, err := Parse("f.yaml", []byte(c.file(c.limit)), nil); err != nil {
			t.Errorf("%s: %d are refused: %v", name, c.limit, err)
		}
		if _, _, err := Parse("f.yaml", []byte(c.file(c.limit+1)), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d give %v, want %q", name, c.limit+1, err, c.want)
		}
	}
}
