package notice_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/notice"
)

func TestSafeLink(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.com/a?b=1&c=2#d":       "https://example.com/a?b=1&c=2#d",
		" http://example.com ":                  "http://example.com",
		"HTTPS://example.com/x":                 "HTTPS://example.com/x",
		"https://example.com/q?a=b|c&d=<e> f":   "https://example.com/q?a=b%7Cc&d=%3Ce%3E%20f",
		`https://example.com/"'` + "`":          "https://example.com/%22%27%60",
		"https://example.com/{a}\n":             "https://example.com/%7Ba%7D",
		"https://example.com/already%7Cencoded": "https://example.com/already%7Cencoded",
		"https://example.com/ü":                 "https://example.com/%C3%BC",
		"https://user:password@example.com/":    "",
		`https://example.com\@evil.example`:     "",
		"javascript:alert(1)":                   "",
		"data:text/html,x":                      "",
		"ftp://example.com/":                    "",
		"//example.com/":                        "",
		"example.com":                           "",
		"https://":                              "",
		"https:///path":                         "",
		"https://[::1":                          "",
		"":                                      "",
	} {
		if got := notice.SafeLink(in); got != want {
			t.Errorf("SafeLink(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSafeLinkIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := notice.SafeLink("https://example.com/" + rapid.String().Draw(t, "s"))
		if strings.ContainsAny(got, "<>|\"'` \n\t\\") {
			t.Fatalf("%q", got)
		}
		if u, err := url.Parse(got); got != "" && (err != nil || u.Host != "example.com") {
			t.Fatalf("%q leads to %v, %v", got, u, err)
		}
		if again := notice.SafeLink(got); again != got {
			t.Fatalf("%q becomes %q", got, again)
		}
	})
}

func TestSpans(t *testing.T) {
	link := func(u string) notice.Span { return notice.Span{Text: u, URL: u} }
	text := func(s string) notice.Span { return notice.Span{Text: s} }
	for in, want := range map[string][]notice.Span{
		"":                                      nil,
		"no link":                               {text("no link")},
		"See https://a.example/b, now.":         {text("See "), link("https://a.example/b"), text(", now.")},
		"(http://a.example) https://b.example?": {text("("), link("http://a.example"), text(") "), link("https://b.example"), text("?")},
		"https://":                              {text("https://")},
	} {
		if got := notice.Spans(in); !slices.Equal(got, want) {
			t.Errorf("Spans(%q) = %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, all := rapid.StringMatching(`([a-z ,.()]|https?://[a-z.]*){0,20}`).Draw(t, "s"), ""
		for _, p := range notice.Spans(s) {
			all += p.Text
		}
		if all != s {
			t.Fatalf("%q became %q", s, all)
		}
	})
}
