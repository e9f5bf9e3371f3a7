package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What streams, and from where; everything else is decoded whole.
func TestWhatIsStreamed(t *testing.T) {
	for items, want := range map[string]string{
		".[]": "", ".data[]": "data", ".a.b.c[]": "a.b.c", ".groups[] | select(.on) | .x": "groups", ".[] | {id}": "",
		".data[] | .list[] as $x | $x": "data",
		".data[]?":                     "no", ".data": "no", ".[].x": "no", ".data[0]": "no", `."a b"[]`: "no", ".a?.b[]": "no", ".data[] as $x | $x": "no",
		"def f: 1; .data[] | f": "no", ".data[], .more[]": "no", "if .ok then .data[] else error end": "no", ".. | .x": "no", ".[": "no",
	} {
		got := "no"
		if s := streaming(items, nil); s != nil {
			got = strings.Join(s.path, ".")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", items, got, want)
		}
	}
	field, _ := compile("p", ".pagination.next")
	program, _ := compile("p", ".data | length")
	if streaming(".data[]", field, nil) == nil || streaming(".data[]", nil, program) != nil {
		t.Error("a program on the whole answer that is no path needs the whole answer")
	}
}

// anyJSON draws values, some levels deep, whose objects have the names that the
// programs look for.
func anyJSON(t *rapid.T, levels int) any {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	switch {
	case kind == 0 || levels == 0:
		return rapid.SampledFrom([]any{nil, true, json.Number("7"), json.Number("1e400"), "", "ü"}).Draw(t, "leaf")
	case kind < 3:
		out := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			out = append(out, anyJSON(t, levels-1))
		}
		return out
	default:
		out := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			out[rapid.SampledFrom([]string{"a", "b", "c", "n"}).Draw(t, "name")] = anyJSON(t, levels-1)
		}
		return out
	}
}

// A stream gives the items that the program gives, in order, and fails where it does.
func TestStreamingGivesWhatJqGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SampledFrom([]string{".[]", ".a[]", ".a.b[]", ".a[] | .b", ".[] | select(.a) | .b[]", ".a.b[] | .c?"}).Draw(t, "program")
		v := anyJSON(t, 3)
		element := map[string]any{"a": anyJSON(t, 1), "b": []any{anyJSON(t, 1), anyJSON(t, 2), anyJSON(t, 0)}, "n": v}
		v = rapid.SampledFrom([]any{
			v,
			[]any{element, v, element},
			map[string]any{"a": []any{element, v}, "n": v},
			map[string]any{"n": v, "a": map[string]any{"n": v, "b": []any{element, v, element}}},
		}).Draw(t, "shape")
		body, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := compile("map.items", items)
		answer, err := decode(body)
		if err != nil {
			t.Fatal(err)
		}
		var want []any
		wantErr := p.run(context.Background(), answer, pageSteps).each(func(v any) error { want = append(want, v); return nil })
		s := streaming(items)
		var got []any
		rest, gotErr := s.read(body, func(element any) error {
			return s.items(context.Background(), element, func(v any) error { got = append(got, v); return nil })
		})
		if errors.Is(gotErr, errShape) {
			if len(got) > 0 {
				t.Fatalf("%s of %s: gave %v before it saw that there is no list", items, body, got)
			}
			return // the program itself is run
		}
		if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(wantErr) != fmt.Sprint(gotErr) {
			t.Fatalf("%s of %s: %v, want %v\n%s", items, body, gotErr, wantErr, diff)
		}
		if gotErr == nil && len(s.path) > 0 && answer.(map[string]any)["n"] != nil && !cmp.Equal(rest.(map[string]any)["n"], answer.(map[string]any)["n"]) {
			t.Fatalf("%s of %s: the rest of the answer is %v", items, body, rest)
		}
	})
}

// Where a name stands twice, which JSON leaves open, nothing is taken for the list.
func TestTwoListsAreNone(t *testing.T) {
	s := streaming(".data[]")
	if _, err := s.read([]byte(`{"data":[1],"data":[2]}`), func(any) error { return nil }); !errors.Is(err, errTwice) {
		t.Error(err)
	}
}
