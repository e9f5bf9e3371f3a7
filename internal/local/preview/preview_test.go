package preview_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/preview"
	"github.com/ringonce/ringonce/internal/sendertest"
)

const goldens = "../../../testdata/golden"

func page(t *testing.T) string {
	t.Helper()
	all, err := preview.Load(goldens)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := preview.Write(&b, all); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEveryKindOfMessageIsDrawn(t *testing.T) {
	got := page(t)
	for _, e := range sendertest.Examples() {
		_, section, ok := strings.Cut(got, `<section id="`+e.Name+`">`)
		if !ok {
			t.Errorf("%s is not on the page", e.Name)
			continue
		}
		section, _, _ = strings.Cut(section, "</section>")
		if n := strings.Count(section, e.Notice.DeliveryID); n < 4 {
			t.Errorf("%s is drawn %d times, want once for Slack, twice as mail and as text", e.Name, n)
		}
	}
}

var (
	tag    = regexp.MustCompile(`<[a-zA-Z!][^>]*>`)
	loads  = regexp.MustCompile(`(?i)\b(src|srcset|action|background|poster)=|url\(|@import|<link|<script|<img|<iframe|\son[a-z]+=`)
	kindOf = regexp.MustCompile(`^<[a-zA-Z!]+`)
)

// The page is one file: no tag of it loads or runs anything, whatever vendors
// wrote.
func TestThePageNeedsNothingElse(t *testing.T) {
	got := page(t)
	kinds := map[string]bool{}
	for _, one := range tag.FindAllString(got, -1) {
		if loads.MatchString(one) {
			t.Errorf("%s", one)
		}
		kinds[kindOf.FindString(one)] = true
	}
	if len(kinds) < 10 || !strings.Contains(got, "default-src 'none'") || !strings.Contains(got, "&lt;script&gt;alert(1)") {
		t.Errorf("the page has only %d kinds of tags, no policy, or not the vendors' text", len(kinds))
	}
}

func TestAFolderWithoutMessages(t *testing.T) {
	if _, err := preview.Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "testdata/golden") {
		t.Errorf("%v", err)
	}
}
