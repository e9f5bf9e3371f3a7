package secrets

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/ringonce/ringonce/internal/setup"
)

func TestPageLinks(t *testing.T) {
	t.Setenv("PAGE", "0123456789abcdef0123456789abcdef")
	for name, c := range map[string]struct {
		env  map[string]string
		link bool
		err  string
	}{
		"off":              {env: map[string]string{setup.PageURLVar: "https://x.example.com/", setup.PageDaysVar: "30"}},
		"nowhere":          {env: map[string]string{setup.PageSecretVar: "env:PAGE", setup.PageDaysVar: "30"}},
		"on":               {env: map[string]string{setup.PageSecretVar: "env:PAGE", setup.PageURLVar: "https://x.example.com/"}, link: true},
		"for so many days": {env: map[string]string{setup.PageSecretVar: "env:PAGE", setup.PageURLVar: "https://x.example.com", setup.PageDaysVar: "7"}, link: true},
		"no days":          {env: map[string]string{setup.PageSecretVar: "env:PAGE", setup.PageURLVar: "https://x.example.com", setup.PageDaysVar: "0"}, err: "want a number of days"},
		"a word":           {env: map[string]string{setup.PageSecretVar: "env:PAGE", setup.PageURLVar: "https://x.example.com", setup.PageDaysVar: "ever"}, err: "want a number of days"},
		"without a secret": {env: map[string]string{setup.PageSecretVar: "env:NO_SUCH", setup.PageURLVar: "https://x.example.com"}},
	} {
		var log bytes.Buffer
		link, err := PageLinks(func(name string) string { return c.env[name] }, aws.Config{}, slog.New(slog.NewTextHandler(&log, nil)))
		if (err == nil) != (c.err == "") || (err != nil && !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %v", name, err)
		}
		got := ""
		if link != nil {
			got = link(t.Context(), "k1/a", 1)
		}
		if (got != "") != c.link || (c.link && !strings.HasPrefix(got, "https://x.example.com/i/")) {
			t.Errorf("%s: link %q", name, got)
		}
		if strings.Contains(log.String(), "0123456789abcdef") || (name == "without a secret") != strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("%s: the log says %q", name, log.String())
		}
	}
}
