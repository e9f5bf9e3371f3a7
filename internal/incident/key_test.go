package incident

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ringonce/ringonce/internal/observation"
)

func TestKey(t *testing.T) {
	for _, c := range []struct {
		kind, want string
		parts      []observation.Part
	}{
		{"error", "k1/error/project=checkout/issue=42", parts("project", "checkout", "issue", "42")},
		{"error", "k1/error/path=%2Fa%3Db%25", parts("path", "/a=b%")},
		{"error", "k1/error/text=a%20b%C2%A0c%0A", parts("text", "a b\u00a0c\n")},
		{"error", "k1/error/text=%FF%EF%BF%BD", parts("text", "\xff\ufffd")},
		{"error", "k1/error/город=Köln", parts("город", "Köln")},
	} {
		got, err := Key(c.kind, c.parts)
		if err != nil || got != c.want {
			t.Errorf("got %q, %v; want %q", got, err, c.want)
		}
	}
}

func TestKeyErrors(t *testing.T) {
	for _, c := range []struct {
		kind, says string
		parts      []observation.Part
	}{
		{"", "kind is empty", parts("a", "b")},
		{"error", "no parts", nil},
		{"error", "part 2 has no name", parts("a", "b", "", "c")},
		{"error", `part "a" is missing`, parts("a", "")},
		{"error", `part "a" is given twice`, parts("a", "b", "a", "c")},
	} {
		_, err := Key(c.kind, c.parts)
		if !errors.Is(err, ErrKeyPart) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q %v: got %v, want one that says %q", c.kind, c.parts, err, c.says)
		}
	}
}

// Long values that differ only at their end give different keys, and no key exceeds the
// limit of a partition key.
func TestLongKeys(t *testing.T) {
	long := strings.Repeat("ü/", 4000)
	seen := map[string]bool{}
	for _, tail := range []string{"", "a", "b"} {
		for _, names := range []int{1, 20} {
			var ps []observation.Part
			for i := range names {
				ps = append(ps, observation.Part{Name: "part" + itoa(i), Value: long + tail})
			}
			key, err := Key("error", ps)
			if err != nil || len(key) > maxKey || seen[key] {
				t.Errorf("%d parts, tail %q: %d bytes, %v, seen before %t", names, tail, len(key), err, seen[key])
			}
			seen[key] = true
		}
	}
}

// A part cannot contain the mark of a truncated key.
func TestNoPartForgesACutKey(t *testing.T) {
	var ps []observation.Part
	for i := range 10 {
		ps = append(ps, observation.Part{Name: "part" + itoa(i), Value: strings.Repeat("x", 150)})
	}
	key, err := Key("error", ps)
	if err != nil || !strings.Contains(key, "~~") {
		t.Fatalf("%q, %v: want a key that was cut", key, err)
	}
	_, forged, err := SplitKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := Key("error", forged); err != nil || other == key {
		t.Errorf("%q, %v: another identity has the cut key", other, err)
	}
}

// Two different identities never share a key, and SplitKey recovers the identity.
func TestKeyIsInjective(t *testing.T) {
	awkward := rapid.StringOfN(rapid.SampledFrom([]rune("a/=%~#2F \u00a0\ufffd")), 1, 6, -1)
	value := rapid.OneOf(awkward, rapid.StringN(1, 8, -1), rapid.Map(awkward, func(s string) string { return s + "\xff" }))
	list := rapid.Map(
		rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) observation.Part {
			return observation.Part{Name: value.Draw(t, "name"), Value: value.Draw(t, "value")}
		}), 1, 4, func(p observation.Part) string { return p.Name }),
		func(ps []observation.Part) []observation.Part { return ps },
	)
	rapid.Check(t, func(t *rapid.T) {
		kind1, kind2 := value.Draw(t, "kind1"), value.Draw(t, "kind2")
		ps1, ps2 := list.Draw(t, "parts1"), list.Draw(t, "parts2")
		key1, err1 := Key(kind1, ps1)
		key2, err2 := Key(kind2, ps2)
		if err1 != nil || err2 != nil {
			t.Fatalf("%v, %v", err1, err2)
		}
		if same := kind1 == kind2 && slices.Equal(ps1, ps2); same != (key1 == key2) {
			t.Fatalf("%q %q and %q %q give %q and %q", kind1, ps1, kind2, ps2, key1, key2)
		}
		kind, ps, err := SplitKey(key1)
		if err != nil || kind != kind1 || !slices.Equal(ps, ps1) {
			t.Fatalf("%q splits into %q %q, %v; want %q %q", key1, kind, ps, err, kind1, ps1)
		}
	})
}

func TestSplitKeyRefusesWhatIsNoKey(t *testing.T) {
	for _, text := range []string{"", "checkout", "k1/error", "k2/error/a=b", "k1/error/a", "k1/error/a=%G0", "k1/error/a=%2"} {
		if kind, ps, err := SplitKey(text); err == nil {
			t.Errorf("%q: got %q %q, want an error", text, kind, ps)
		}
	}
}

// FuzzKey looks for two part lists with one key: moving the border between
// name and value, or between two parts, must change the key.
func FuzzKey(f *testing.F) {
	f.Add("error", "project", "checkout", "issue", "42")
	f.Add("a/b", "c=d", "e%2Ff", "g~", "h#\xff")
	f.Fuzz(func(t *testing.T, kind, n1, v1, n2, v2 string) {
		key, err := Key(kind, parts(n1, v1, n2, v2))
		if err != nil {
			return
		}
		if len(key) > maxKey {
			t.Fatalf("%d bytes", len(key))
		}
		for _, other := range [][]observation.Part{
			parts(n1, v1), parts(n2, v2), parts(n2, v2, n1, v1), parts(n1, v1+"/"+n2+"="+v2),
			parts(n1+"="+v1, n2+"="+v2), parts(n1, v2, n2, v1), parts(n1, v1+"/", n2, v2),
		} {
			again, err := Key(kind, other)
			if err == nil && again == key && !slices.Equal(other, parts(n1, v1, n2, v2)) {
				t.Fatalf("%q for %q and for %q", key, parts(n1, v1, n2, v2), other)
			}
		}
	})
}

func parts(namesAndValues ...string) []observation.Part {
	var ps []observation.Part
	for i := 0; i < len(namesAndValues); i += 2 {
		ps = append(ps, observation.Part{Name: namesAndValues[i], Value: namesAndValues[i+1]})
	}
	return ps
}
