package source

import (
	"context"
	"testing"

	"github.com/itchyny/gojq"
)

// FuzzProgram runs any program on any answer: neither compiling, with the guards
// put in, nor running may panic or go on, and what jq takes for a program still is
// one.
func FuzzProgram(f *testing.F) {
	for _, text := range []string{
		".[]", ".a[] | .b", ".a * .b", ".a *= 2", ".[] *= (1, 2) | .[0] * 3", "def f(g): g * 2; f(.a)", "reduce .[] as $x (1; . * $x)", "foreach .[] as [$a, $b] (0; . * $a; $b)",
		"try (.a * error) catch (. * 2)", "label $l | .a * (., break $l)", `"\(.a * 2)"`, "[.. | fromjson?]", ".a | tonumber.b", "{(.a * 1 | tostring): .b * 2}", "if .a * 1 then 2 * 2 elif . then 1 else .b * 3 end",
		"path(.a, .b)", "getpath([\"a\"]) * 2", ". as {a: $x} ?// [$x] | $x * 2", "@base64 \"x\\(.a * 2)\"", "-(.a * 2)", "limit(3; repeat(.a * 2))", ".a |= . * 2", "$field.id * 1", "$__left * 2", "input", "$__loc__", "splits(\"a\"; .b * 1)",
	} {
		f.Add(text, []byte(`{"a":[1,"2",{"b":3}],"b":"4"}`))
	}
	f.Fuzz(func(t *testing.T, text string, body []byte) {
		if len(text) > 300 || len(body) > 4000 {
			return
		}
		v, err := decode(body)
		if err != nil {
			v = nil
		}
		p, fault := compile("p", text)
		if fault != nil || p == nil {
			if query, err := gojq.Parse(text); err == nil && text != "" {
				if _, err := gojq.Compile(query, options...); err == nil {
					t.Fatalf("%q is a program, and not with its guards: %s", text, fault)
				}
			}
			return
		}
		ctx := context.WithValue(t.Context(), heapKey{}, heap()+256<<20)
		_, _ = p.machine(ctx, v)
		n := 0
		_ = p.run(ctx, v, itemSteps).each(func(any) error {
			if n++; n > 1000 {
				return errTooMany
			}
			return nil
		})
		if s := streaming(text); s != nil && err == nil {
			_, _ = s.read(body, func(any) error { return nil })
		}
	})
}
