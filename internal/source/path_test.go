package source

import (
	"context"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestOnlyPlainPathsAreWalked(t *testing.T) {
	for text, want := range map[string][]string{
		".a": {"a"}, ".a.b.c": {"a", "b", "c"}, ` ."a b".c `: nil, ".": nil, ".a[]": nil, ".a?": nil, ".a[0]": nil, ".a[1:2]": nil,
		`.["a"]`: nil, ".a | .b": nil, ".a, .b": nil, ".a // 1": nil, "def f: 1; .a": nil, ".a as $x | .b": nil, ".[]": nil, "..": nil, ".a.b?": nil,
		`.a."b"`: nil, ".a = 1": nil, "-.a": nil,
	} {
		p, fault := compile("test", text)
		if fault != nil {
			t.Fatal(fault)
		}
		if !reflect.DeepEqual(p.fields, want) {
			t.Errorf("%s: walked as %q, want %q", text, p.fields, want)
		}
	}
}

func TestOnlyPlainTextsAreConstant(t *testing.T) {
	for text, want := range map[string]string{
		`"a"`: "a", `"a\"\u00e9\n"`: "a\"é\n", `""`: "", `"a\(1)"`: "not", `"a" | "b"`: "not", `"a", "b"`: "not", `@base64 "a\(.)"`: "not",
		`"a".x?`: "not", `"a"[0:1]`: "not", `@uri "a"`: "not",
	} {
		p, fault := compile("test", text)
		if fault != nil {
			t.Fatal(fault)
		}
		if p.constant == nil {
			if want != "not" {
				t.Errorf("%s is not taken for a constant", text)
			}
			continue
		}
		ran, err := p.machine(context.Background(), nil)
		if *p.constant != want || err != nil || ran != *p.constant {
			t.Errorf("%s: %q, jq %v, %v, want %q", text, *p.constant, ran, err, want)
		}
	}
}

func TestWalkingGivesWhatJqGives(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		leaf := rapid.OneOf(rapid.Just[any](nil), rapid.Just[any]("text"), rapid.Just[any](true), rapid.Just[any](1), rapid.Just[any]([]any{1}))
		if depth == 0 {
			return leaf
		}
		object := rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b"}), value(depth-1), 0, 2), func(m map[string]any) any { return m })
		return rapid.OneOf(object, object, leaf)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{".a", ".a.b", ".b.a.b"}).Draw(t, "program")
		in := value(3).Draw(t, "value")
		p, _ := compile("test", text)
		walked, walkErr := p.one(context.Background(), in)
		ran, runErr := p.machine(context.Background(), in)
		if !reflect.DeepEqual(walked, ran) || (walkErr == nil) != (runErr == nil) || (walkErr != nil && walkErr.Error() != runErr.Error()) {
			t.Fatalf("%s on %v: walked %v, %v; jq %v, %v", text, in, walked, walkErr, ran, runErr)
		}
	})
}
