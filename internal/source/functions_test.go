package source

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// run gives what a program makes of one JSON value, as JSON, or its error.
func run(t *testing.T, text, input string) string {
	t.Helper()
	p, fault := compile("test", text)
	if fault != nil {
		t.Fatal(fault)
	}
	d := json.NewDecoder(strings.NewReader(input))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	out, err := p.one(context.Background(), v)
	if err != nil {
		return "error: " + err.Error()
	}
	b, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestToNumber(t *testing.T) {
	for in, want := range map[string]string{
		`25`: "25", `"25"`: "25", `" 25 "`: "25", `"1.5e3"`: "1500", `1.5e3`: "1500", `-0.5`: "-0.5",
		`"+Inf"`: "null", `"-Inf"`: "null", `"NaN"`: "null", `"1e999"`: "null", `1e999`: "null", `null`: "null",
		`123456789012345678901234567890`: "1.2345678901234568e+29",
		`"many"`:                         "error: to_number: the text is not a number",
		`""`:                             "error: to_number: the text is not a number",
		`true`:                           "error: to_number: cannot read a boolean as a number",
		`[]`:                             "error: to_number: cannot read an array as a number",
	} {
		if got := run(t, "to_number", in); got != want {
			t.Errorf("%s | to_number = %s, want %s", in, got, want)
		}
	}
}

func TestToTime(t *testing.T) {
	for in, want := range map[string]string{
		`"2026-03-11T12:49:18Z"`:                `"2026-03-11T12:49:18Z"`,
		`"2026-03-11T12:49:18.4Z"`:              `"2026-03-11T12:49:18.4Z"`,
		`"2026-03-11T12:49:18.123456789+02:00"`: `"2026-03-11T10:49:18.123456789Z"`,
		`"2022-06-21T13:12:01+00:00"`:           `"2022-06-21T13:12:01Z"`,
		`"2022-06-21T13:12:01.5+0000"`:          `"2022-06-21T13:12:01.5Z"`,
		`"2022-06-21 13:12:01-05:30"`:           `"2022-06-21T18:42:01Z"`,
		`1655817121`:                            `"2022-06-21T13:12:01Z"`,
		`"1655817121"`:                          `"2022-06-21T13:12:01Z"`,
		`1654052094000`:                         `"2022-06-01T02:54:54Z"`,
		`1655817121.25`:                         `"2022-06-21T13:12:01.25Z"`,
		`1655817121250`:                         `"2022-06-21T13:12:01.25Z"`,
		`"0001-01-01T00:00:00Z"`:                "null",
		`"0001-01-01T00:00:00+02:00"`:           "null",
		`0`:                                     "null",
		`null`:                                  "null",
		`""`:                                    "null",
		`"yesterday"`:                           "error: to_time: the text is not a time of RFC 3339",
		`"2026-13-01T00:00:00Z"`:                "error: to_time: the text is not a time of RFC 3339",
		`-5`:                                    "error: to_time: the number is not a time in seconds or milliseconds since 1970",
		`1e30`:                                  "error: to_time: the number is not a time in seconds or milliseconds since 1970",
		`{}`:                                    "error: to_time: cannot read an object as a time",
	} {
		if got := run(t, "to_time", in); got != want {
			t.Errorf("%s | to_time = %s, want %s", in, got, want)
		}
	}
}

func TestFunctionsWorkTogether(t *testing.T) {
	for program, want := range map[string]string{
		`.a | to_time < "2026-01-01"`:             "true",
		`.reason | fromjson | .value | to_number`: "3.5",
		`.n | to_number // 7`:                     "7",
		`try (.b | to_number) catch "none"`:       `"none"`,
	} {
		if got := run(t, program, `{"a":1655817121,"b":"x","n":"NaN","reason":"{\"value\":\"3.5\"}"}`); got != want {
			t.Errorf("%s = %s, want %s", program, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for in, want := range map[any]int64{
		nil: 0, 3: 3, "17": 17, 2.9: 2, json.Number("1e3"): 1000, json.Number("1e30"): 1<<63 - 1, "NaN": 0,
	} {
		if got, err := count(in); err != nil || got != want {
			t.Errorf("count(%v) = %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []any{-1, "x", true} {
		if got, err := count(in); err == nil {
			t.Errorf("count(%v) = %d, want an error", in, got)
		}
	}
}

// The step limit rests on gojq asking its context before every step.
func TestFuelIsCountedInSteps(t *testing.T) {
	p, _ := compile("test", "[range(100)] | length")
	r := p.run(context.Background(), nil, 100_000)
	if v, ok, err := r.next(); err != nil || !ok || v != 100 {
		t.Fatalf("got %v, %v, %v", v, ok, err)
	}
	if used := 100_000 - r.fuel.left; used < 300 || used > 10_000 {
		t.Errorf("used %d steps for a hundred values", used)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	cancel()
	p, _ = compile("test", "def f: f; f")
	r = p.run(ctx, nil, pageSteps)
	if _, _, err := r.next(); err == nil || r.fuel.empty() {
		t.Errorf("a stopped poll did not stop the program: %v", err)
	}
}
