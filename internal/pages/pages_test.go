package pages

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const (
	key    = "k1/error/project=example-app/issue=6507376925"
	secret = "0123456789abcdef0123456789abcdef"
	newer  = "fedcba9876543210fedcba9876543210"
)

var now = time.Date(2026, 1, 2, 12, 3, 0, 0, time.UTC)

// stored is a secret store that caches values until they are invalidated.
type stored struct {
	value, remembered string
	err               error
	reads             int
}

func (s *stored) Resolve(context.Context, string) (string, error) {
	if s.remembered == "" {
		s.reads++
		s.remembered = s.value
	}
	return s.remembered, s.err
}

func (s *stored) Invalidate(string) { s.remembered = "" }

func linker(s *stored) *Linker {
	return &Linker{
		URL: "https://pages.example.com/", Secret: "ssm:/ringonce/page", ValidFor: time.Hour,
		Secrets: s, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
	}
}

func checker(s *stored, at time.Time) *Checker {
	return &Checker{Secret: "ssm:/ringonce/page", Secrets: s, Now: func() time.Time { return at }}
}

func pathOf(t *testing.T, link string) string {
	t.Helper()
	path, ok := strings.CutPrefix(link, "https://pages.example.com")
	if !ok {
		t.Fatalf("link %q", link)
	}
	return path
}

func accepted(t *testing.T, c *Checker, path string) bool {
	t.Helper()
	_, ok, err := c.Check(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

func TestALinkOpensItsEpisodeUntilItExpires(t *testing.T) {
	s := &stored{value: secret}
	path := pathOf(t, linker(s).Link(t.Context(), key, 2))
	got, ok, err := checker(s, now).Check(t.Context(), path)
	if err != nil || !ok || got.Key != key || got.Episode != 2 || !got.Expires.Equal(now.Add(time.Hour)) {
		t.Fatalf("%+v %v %v", got, ok, err)
	}
	if !accepted(t, checker(s, now.Add(time.Hour-time.Second)), path) {
		t.Error("refused a second before it expires")
	}
	if accepted(t, checker(s, now.Add(time.Hour)), path) {
		t.Error("accepted when it has expired")
	}
	if strings.Contains(path, secret) || strings.Trim(path[len(folder):], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
		t.Errorf("path %q", path)
	}
}

// Another key, episode or expiry under the old signature is rejected, and so is every
// alternative spelling of a valid path.
func TestAChangedLinkOpensNothing(t *testing.T) {
	s := &stored{value: secret}
	path := pathOf(t, linker(s).Link(t.Context(), key, 2))
	said, sum, _ := strings.Cut(strings.TrimPrefix(path, folder), ".")
	with := func(c Claim) string {
		return folder + base64.RawURLEncoding.EncodeToString([]byte(c.text())) + "." + sum
	}
	expires := now.Add(time.Hour)
	other := Claim{Key: key, Episode: 2, Expires: expires}.path([]byte(newer))
	for name, p := range map[string]string{
		"another key":        with(Claim{key + "1", 2, expires}),
		"another episode":    with(Claim{key, 3, expires}),
		"a later end":        with(Claim{key, 2, expires.Add(time.Hour)}),
		"another's secret":   other,
		"no signature":       folder + said,
		"an empty one":       folder + said + ".",
		"half a signature":   path[:len(path)-10],
		"more":               path + "A",
		"twice":              path + "." + sum,
		"padding":            path + "=",
		"a line end":         path[:20] + "\n" + path[20:],
		"a quoted character": strings.Replace(path, path[10:11], "%"+"41", 1),
		"a slash":            path + "/",
		"a folder more":      "/x" + path,
		"up and down":        "/i/../i/" + path[len(folder):],
		"two slashes":        "/" + path,
		"another case":       folder + strings.ToUpper(path[len(folder):]),
		"loose bits":         loose(path),
		"huge":               folder + strings.Repeat("A", 1<<20) + "." + sum,
		"nothing":            "",
		"the folder":         folder,
		"the top":            "/",
		"a dot":              folder + ".",
	} {
		if accepted(t, checker(s, now), p) {
			t.Errorf("%s: accepted", name)
		}
	}
	if !accepted(t, checker(s, now), with(Claim{key, 2, expires})) {
		t.Error("the unchanged one is refused, so this test shows nothing")
	}
}

// loose changes the last two bits of a signature, which decode to nothing.
func loose(path string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(alphabet, path[len(path)-1])
	return path[:len(path)-1] + alphabet[last^1:last^1+1]
}

// What is signed says one thing only: other numbers and spellings of the same
// are no claim.
func TestAClaimHasOneForm(t *testing.T) {
	for _, said := range []string{
		"", " ", "1 1 ", "1 1", "+1 1 k", "01 1 k", "1 01 k", "1 0 k", "1 -1 k", " 1 1 k", "1  1 k", "x 1 k", "1 x k",
		"99999999999999999999 1 k", "1 99999999999999999999 k",
	} {
		path := folder + coding.EncodeToString([]byte(said)) + "." + coding.EncodeToString(mac([]byte(secret), said))
		if _, ok := open(path); ok {
			t.Errorf("%q is taken for a claim", said)
		}
	}
}

func TestEveryClaimSurvivesItsLink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Claim{
			Key: "k1/" + rapid.String().Draw(t, "key"), Episode: rapid.IntRange(1, 1<<40).Draw(t, "episode"),
			Expires: time.Unix(rapid.Int64Range(0, 1<<40).Draw(t, "expires"), 0).UTC(),
		}
		path := c.path([]byte(secret))
		s, ok := open(path)
		if len(path) <= maxPath && (!ok || s.claim != c || !s.by([][]byte{[]byte(secret)})) {
			t.Fatalf("%+v is read as %+v, %v", c, s.claim, ok)
		}
	})
}

// Links are in messages for as long as they are valid: another version opens them.
// This one was made with Python's hmac and base64.
func TestALinkOfAnotherVersion(t *testing.T) {
	c := Claim{Key: key, Episode: 2, Expires: time.Unix(1767359000, 0)}
	want := "/i/MTc2NzM1OTAwMCAyIGsxL2Vycm9yL3Byb2plY3Q9ZXhhbXBsZS1hcHAvaXNzdWU9NjUwNzM3NjkyNQ.Ee8PEgr5lIReZbYhKtO8Dc_rxRULvgaXg1lMAoS8Jx0"
	if got := c.path([]byte(secret)); got != want {
		t.Errorf("made %s", got)
	}
}

func TestTheLongestKeyFits(t *testing.T) {
	s := &stored{value: secret}
	if path := pathOf(t, linker(s).Link(t.Context(), strings.Repeat("k", 1024), 1<<30)); !accepted(t, checker(s, now), path) {
		t.Errorf("a key of 1,024 bytes makes a path of %d, which is refused", len(path))
	}
}

// While a secret is replaced, links of both are accepted, and the new one signs.
func TestASecretIsReplaced(t *testing.T) {
	old := pathOf(t, linker(&stored{value: secret}).Link(t.Context(), key, 1))
	s := &stored{value: newer + " " + secret}
	fresh := pathOf(t, linker(s).Link(t.Context(), key, 1))
	if !accepted(t, checker(s, now), old) || !accepted(t, checker(s, now), fresh) {
		t.Error("one of the two is refused")
	}
	s = &stored{value: newer}
	if !accepted(t, checker(s, now), fresh) || accepted(t, checker(s, now), old) {
		t.Error("when the old one is gone, only the new one counts")
	}
}

// A link that was signed with a secret stored a moment ago is accepted at once;
// whoever guesses makes the secret be read twice a minute at most.
func TestASecretIsReadAnewNowAndThen(t *testing.T) {
	s := &stored{value: newer + " " + secret, remembered: secret}
	fresh := pathOf(t, linker(&stored{value: newer}).Link(t.Context(), key, 1))
	c := checker(s, now)
	if !accepted(t, c, fresh) {
		t.Error("refused although it is signed with what is stored")
	}
	forged := Claim{Key: key, Episode: 1, Expires: now.Add(time.Hour)}.path([]byte("somebody else's secret"))
	for range 100 {
		if accepted(t, c, forged) {
			t.Fatal("accepted a forged link")
		}
	}
	if s.reads != 1 {
		t.Errorf("the secret was read %d times for 100 forged links", s.reads)
	}
}

// A message without a link is better than none; the log says why and holds no
// link and no secret.
func TestWithoutASecretThereIsNoLink(t *testing.T) {
	for name, s := range map[string]*stored{
		"unreadable": {err: errors.New("secret ssm:/ringonce/page: there is no such parameter")},
		"short":      {value: "tooshort"},
		"blank":      {value: "  "},
	} {
		var log bytes.Buffer
		l := linker(s)
		l.Log = slog.New(slog.NewTextHandler(&log, nil))
		for range 3 {
			if link := l.Link(t.Context(), key, 1); link != "" {
				t.Errorf("%s: %q", name, link)
			}
		}
		if strings.Count(log.String(), "level=ERROR") != 1 || !strings.Contains(log.String(), "ssm:/ringonce/page") || strings.Contains(log.String(), "tooshort") {
			t.Errorf("%s: the log says %q", name, log.String())
		}
		if _, ok, err := checker(s, now).Check(t.Context(), "/"); ok || err == nil || strings.Contains(err.Error(), "tooshort") {
			t.Errorf("%s: checking says %v, %v", name, ok, err)
		}
	}
	var none *Linker
	if link := none.Link(t.Context(), key, 1); link != "" {
		t.Errorf("nobody made %q", link)
	}
}
