package notice_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/notice"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		"  two\r\nlines\r ":           "two\nlines",
		"a\tb":                        "a\tb",
		"\x00\x1b[31mred\x7f":         "[31mred",
		"\xffbroken":                  "\uFFFDbroken",
		"abc\u202Etxt\u2066exe\u2069": "abctxtexe",
		"a\u2028b":                    "a\nb",
		"👩‍👩‍👧 family":                "👩‍👩‍👧 family",
	} {
		if got := notice.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := notice.OneLine(" a\r\n\tb  c "); got != "a b c" {
		t.Errorf("OneLine: %q", got)
	}
}

func TestCleanTwiceIsCleanOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "s"))
		once := notice.Clean(s)
		if !utf8.ValidString(once) || notice.Clean(once) != once {
			t.Fatalf("%q: %q", s, once)
		}
	})
}

func TestClip(t *testing.T) {
	clip := notice.Plain.Clip
	for _, x := range []struct {
		in            string
		lines, length int
		want          string
	}{
		{"short", 1, 50, "short"},
		{"a\nb\nc", 3, 50, "a\nb\nc"},
		{"a\nb\nc", 2, 50, "a\nb\n+1 more line"},
		{"a\n" + strings.Repeat("b", 60), 9, 60, "a\n+1 more line"},
		{strings.Repeat("é", 60), 9, 50, strings.Repeat("é", 10) + "… +50 more characters"},
		{strings.Repeat("𝟙", 60), 9, 50, strings.Repeat("𝟙", 5) + "… +55 more characters"},
		{strings.Repeat("x", 5000), 9, 50, strings.Repeat("x", 10) + "… +4,990 more characters"},
	} {
		if got := clip(x.in, x.lines, x.length); got != x.want {
			t.Errorf("%.20q: %q, want %q", x.in, got, x.want)
		}
	}
}

// For any input, Clip respects its limits, cuts between characters, and returns the
// beginning of the text.
func TestClipKeepsItsLimits(t *testing.T) {
	double := notice.Cost(func(r rune) int { return 2 * notice.Plain(r) })
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.StringN(0, 80, -1), 1, 40).Draw(t, "lines"), "\n")
		lines, length := rapid.IntRange(1, 20).Draw(t, "max lines"), rapid.IntRange(60, 500).Draw(t, "length")
		got := double.Clip(s, lines, length)
		if double.Length(got)-noteAtDouble > length || strings.Count(got, "\n") > lines || !utf8.ValidString(got) && utf8.ValidString(s) {
			t.Fatalf("%d long, %d lines: %q", double.Length(got), strings.Count(got, "\n")+1, got)
		}
		head, _, _ := strings.Cut(got, "… +")
		if i := strings.LastIndex(head, "\n+"); got != s && i >= 0 {
			head = head[:i]
		}
		if !strings.HasPrefix(s, head) {
			t.Fatalf("%q does not begin %q", head, s)
		}
	})
}

// noteAtDouble is what a cost of two per character adds to the final note, whose reserved
// room assumes a cost of one.
const noteAtDouble = 30

func TestFit(t *testing.T) {
	kept, more := notice.Plain.Fit([]string{"aa", "bb", "cc"}, 6)
	if len(kept) != 2 || more != 1 {
		t.Errorf("kept %q and %d more, want two and one more", kept, more)
	}
	if kept, more := notice.Plain.Fit(nil, 0); len(kept) != 0 || more != 0 {
		t.Errorf("nothing: kept %q and %d more", kept, more)
	}
}
