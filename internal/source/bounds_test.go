package source

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/itchyny/gojq"
	"pgregory.net/rapid"
)

// Programs that would fill any memory, in one step or in a few hundred.
func TestProgramsCannotFillMemory(t *testing.T) {
	long := strings.Repeat("1", 2000)
	input := map[string]any{"s": "x", "n": json.Number("1e12"), "big": long}
	ctx := context.WithValue(t.Context(), heapKey{}, heap()+16<<20)
	for text, want := range map[string]string{
		`reduce range(60) as $i ("x"; . + .)`:      "more than there is memory for",
		`reduce range(60) as $i ("x"; "\(.)\(.)")`: "more than there is memory for",
		`reduce range(60) as $i ("\""; tojson)`:    "more than there is memory for",
		`.s * .n`:                                  "multiplies a text",
		`.n * .s`:                                  "multiplies a text",
		`.s *= .n | .s`:                            "multiplies a text",
		`[.s, 2] | .[0] * (.[1] * 1e9)`:            "multiplies a text",
		`reduce range(60) as $i (3; . * .)`:        "multiplies to a number",
		`reduce range(60) as $i (.s; . * 2)`:       "multiplies a text",
		`.big | tonumber`:                          "more than 1000 digits",
		`.big | fromjson`:                          "more than 1000 digits",
		`"[\(.big)]" | fromjson[0]`:                "more than 1000 digits",
	} {
		p, fault := compile("p", text)
		if fault != nil {
			t.Fatal(fault)
		}
		if v, err := p.machine(ctx, input); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", text, v, err, want)
		}
	}
	if _, err := decode([]byte(`[{"id":` + long + `}]`)); err != errDigits {
		t.Errorf("a long number: %v", err)
	}
	if _, err := decode([]byte(`["` + long + `","\"` + long + `",` + long[:1000] + `,` + long[:1000] + `]`)); err != nil {
		t.Errorf("long texts and numbers that are not too long: %v", err)
	}
}

// What is not too much comes out as it would without the guards.
func TestGuardedProgramsGiveTheSame(t *testing.T) {
	values := []any{nil, true, 0, 2, -3, 1.5, json.Number("7"), json.Number("-2.5"), "", "ab", "3", `{"a":2}`, []any{1}, map[string]any{"a": 1}, map[string]any{"b": 2}}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{
			".[0] * .[1]", "(.[0], 2) * (.[1], 3)", "1 + .[0] * .[1] * 2", ".[0] *= .[1]", ".[] *= (1, 2)", "(.[0] | tonumber) * 2", ".[0] | fromjson", ".[0] | fromjson.a",
			"def twice: . * 2; .[0] | twice", `"\(.[0] * 2)-\(.[1])"`, "[.[] | tonumber?]", "{a: (.[0] * .[1])}", "if .[0] * 1 > 1 then .[1] else .[0] end", "try (.[0] * .[1]) catch 7", "map(. * 2)", "12345678901234567890 * (.[0] | tonumber)", ".[0] as $l | .[1] as $r | $l * $r",
		}).Draw(t, "program")
		input := []any{rapid.SampledFrom(values).Draw(t, "a"), rapid.SampledFrom(values).Draw(t, "b")}
		query, err := gojq.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		want := all(query.Run(input))
		p, fault := compile("p", text)
		if fault != nil {
			t.Fatal(fault)
		}
		if got := all(p.code.Run(input, nil)); !cmp.Equal(want, got) {
			t.Fatalf("%s of %v: %v, want %v", text, input, got, want)
		}
	})
}

// all are a program's values, and what ended them.
func all(iter gojq.Iter) []string {
	var out []string
	for {
		v, ok := iter.Next()
		if !ok {
			return out
		}
		if f, is := v.(float64); is && math.IsNaN(f) {
			v = "NaN"
		}
		out = append(out, fmt.Sprintf("%T %v", v, v))
		if _, failed := v.(error); failed {
			return out
		}
	}
}

// Long texts cost no more than their head, and long ids stay as many as they are.
func TestLongTextsAreReadInPart(t *testing.T) {
	head := strings.Repeat("é", maxRead)
	if got := headOf("x" + head); len(got) != maxRead-1 || !strings.HasPrefix("x"+head, got) {
		t.Errorf("%d bytes", len(got))
	}
	ids := map[string]bool{}
	for _, id := range []string{head, head + "a", head + "b", head[:maxRead]} {
		ids[redactedID(id)] = true
	}
	if len(ids) != 4 || redactedID("a") != "a" || strings.Contains(redactedID("jane@example.com "+head), "jane") {
		t.Errorf("%d ids of 4", len(ids))
	}
}
