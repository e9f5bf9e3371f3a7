package source_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
)

// A body that is not what the declaration says is a problem, never an empty
// and healthy list.
func TestMalformedBodies(t *testing.T) {
	for name, tt := range map[string]struct{ body, want string }{
		"empty":                 {"", "the body is empty"},
		"web page":              {"\n<!DOCTYPE html><title>Sign in</title>", "a web page"},
		"plain text":            {"Service Unavailable", "not JSON (at byte 1)"},
		"cut off":               {`[{"id":"1"`, "ends in the middle"},
		"two values":            {`[] []`, "more than one JSON value"},
		"rubbish behind":        {`[]]`, "more than one JSON value"},
		"a byte of zero behind": {"[]\x00", "more than one JSON value"},
		"a line each":           {"{\"id\":\"1\"}\n{\"id\":\"2\"}", "more than one JSON value"},
		"UTF-16":                {"\xff\xfe[\x00]\x00", "not JSON"},
		"UTF-16 without a mark": {"[\x00]\x00", "not JSON"},
		"two marks":             {"\xef\xbb\xbf\xef\xbb\xbf[]", "not JSON"},
		"a prefix":              {")]}'\n[]", "not JSON"},
		"no end of depth":       {strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "not JSON"},
		"null":                  {`null`, "map.items: cannot iterate over: null"},
		"a text":                {`"oops"`, "map.items: cannot iterate over: string"},
		"a number":              {`3`, "map.items: cannot iterate over: number"},
		"list of null":          {`[null]`, "page 1 item 1: map.items: gave null where an object is needed"},
		"list of lists":         {`[[]]`, "gave an array"},
		"list of texts":         {`["a"]`, "gave text"},
		"list of numbers":       {`[1]`, "gave a number"},
		"list of booleans":      {`[true]`, "gave a boolean"},
		"an object of nothing":  {`{"error":null}`, "gave null"},
		"an empty object":       {`{}`, "map.items: found an object where the list of items is needed"},
	} {
		t.Run(name, func(t *testing.T) {
			wantBroken(t, poll(t, plain(answers(t, text(tt.body)).URL)), 0, "page 1", tt.want)
		})
	}
	for _, empty := range []string{"[]", " [ ] \n", "\xef\xbb\xbf[]"} {
		wantComplete(t, poll(t, plain(answers(t, text(empty)).URL)), 0)
	}
}

// Every wrong item is a problem that names item, id and field; its neighbours
// are mapped.
func TestBrokenItemsLeaveTheOthersAlone(t *testing.T) {
	for name, tt := range map[string]struct{ item, want string }{
		"key part missing":      {`{"id":"7","state":"ok","title":"t"}`, "page 1 item 2 (id 7): map.key[0].value: is missing or empty"},
		"key part empty":        {`{"id":"7","service":" ","state":"ok","title":"t"}`, "map.key[0].value: is missing or empty"},
		"key part of an object": {`{"id":"7","service":{},"state":"ok","title":"t"}`, "map.key[0].value: gave an object where text is needed"},
		"key part of a boolean": {`{"id":"7","service":true,"state":"ok","title":"t"}`, "map.key[0].value: gave a boolean"},
		"status missing":        {`{"id":"7","service":"s","title":"t"}`, "(id 7): map.status: is missing or empty"},
		"status of a list":      {`{"id":"7","service":"s","state":[],"title":"t"}`, "map.status: gave an array"},
		"everything missing":    {`{}`, "page 1 item 2: map.key[0].value"},
	} {
		t.Run(name, func(t *testing.T) {
			l := poll(t, plain(answers(t, text("["+oneItem("1")+","+tt.item+","+oneItem("3")+"]")).URL))
			wantBroken(t, l, 2, tt.want)
			if l.Items[0].Evidence.VendorID != "1" || l.Items[1].Evidence.VendorID != "3" {
				t.Errorf("items %+v", l.Items)
			}
		})
	}
}

// An item whose evidence cannot be read is still there, and still fails.
func TestBrokenEvidenceKeepsTheItem(t *testing.T) {
	src := plain(answers(t, text(`[{"id":{},"service":"s","state":"firing","title":["t"],"n":"many","at":"yesterday","list":[{}]}]`)).URL)
	src.Map.Evidence.Count, src.Map.Evidence.FirstSeen, src.Map.Evidence.Samples = ".n", ".at", ".list"
	l := poll(t, src)
	wantTold(t, l, 1,
		"map.evidence.vendor_id: gave an object", "map.summary: gave an array", "map.evidence.count: gave text where a number",
		"map.evidence.first_seen: to_time: the text is not a time", "map.evidence.samples: gave an object")
	if l.Items[0].Verdict != observation.Failing || l.Items[0].Summary != "" {
		t.Errorf("item %+v", l.Items[0])
	}
}

func TestProgramsThatMisbehave(t *testing.T) {
	for program, want := range map[string]string{
		".a.b.c":                      "",
		".service | .x":               "expected an object but got: string",
		".service | floor":            "floor cannot be applied to string",
		"empty":                       "gave no value",
		".service, .service":          "gave more than one value",
		".service, error":             "gave more than one value",
		`error("secret " + .service)`: "failed; try the program",
		"repeat(.) | empty":           "runs without end",
		"def f: f; f":                 "runs without end",
		"[range(1e9)] | length":       "runs without end",
		`"x" * 1e12`:                  "multiplies a text",
		"$ENV.PATH":                   "",
		"env.HOME":                    "",
		"halt_error":                  "failed",
		"[limit(20; repeat(.))] | .[0] | .service": "",
	} {
		t.Run(program, func(t *testing.T) {
			src := plain(answers(t, text(listOf("1"))).URL)
			src.Map.Evidence.Stage = program
			l := poll(t, src)
			if want == "" {
				wantComplete(t, l, 1)
				return
			}
			wantTold(t, l, 1, "map.evidence.stage: ", want)
			if strings.Contains(fmt.Sprint(l.Problems), "svc-1") {
				t.Errorf("the vendor's value is in %v", l.Problems)
			}
		})
	}
}

func TestItemsProgramThatMisbehaves(t *testing.T) {
	for program, tt := range map[string]struct {
		items int
		want  string
	}{
		"repeat(.) | .[0]":     {1, "more than 100000 items"},
		"def f: f; f":          {0, "runs without end"},
		".[], error":           {2, "map.items: "},
		".[0], (.[1] | .id.x)": {1, "expected an object but got: string"},
		".":                    {0, "gave an array"},
		".[].nothing":          {0, "gave null"},
	} {
		t.Run(program, func(t *testing.T) {
			src := plain(answers(t, text(listOf("1", "2"))).URL)
			src.Map.Items = program
			wantBroken(t, poll(t, src), tt.items, "page 1", tt.want)
		})
	}
	src := plain(answers(t, text(listOf("1", "2"))).URL)
	src.Map.Items = "empty"
	wantComplete(t, poll(t, src), 0)
}

func TestThousandsOfProblemsAreCounted(t *testing.T) {
	l := poll(t, plain(answers(t, text("["+strings.Repeat("1,", 4999)+"1]")).URL))
	if l.Complete || len(l.Problems) != 21 || !strings.Contains(l.Problems[20].What, "4980 more") {
		t.Errorf("%d problems, the last %v", len(l.Problems), l.Problems[len(l.Problems)-1])
	}
}

func TestKeyPartTypes(t *testing.T) {
	src := plain("")
	src.Map.Key = []config.KeyPart{{Name: "id", Value: ".i", Type: "id"}, {Name: "text", Value: ".t", Type: "text"}}
	for body, want := range map[string]string{
		`{"i":72887070,"t":"Job 17 took 1711.36ms"}`:          "72887070|Job {n} took {n}ms",
		`{"i":"  Job 17 ","t":"x"}`:                           "Job 17|x",
		`{"i":7.288707e+07,"t":"x"}`:                          "72887070|x",
		`{"i":72887070.0,"t":"x"}`:                            "72887070|x",
		`{"i":123456789012345678901234567890,"t":"x"}`:        "123456789012345678901234567890|x",
		`{"i":9007199254740993.0,"t":9007199254740993}`:       "9007199254740993|{n}",
		`{"i":0.25,"t":"x"}`:                                  "0.25|x",
		`{"i":-12,"t":"x"}`:                                   "-12|x",
		`{"i":"a","t":"failed for jane@example.com"}`:         "a|failed for {email}",
		`{"i":"a","t":"Bearer abcdefgh01234567 was refused"}`: "a|Bearer {token} was refused",
		`{"i":"\ud800","t":"lone surrogate"}`:                 "\uFFFD|lone surrogate",
		`{"i":1e400,"t":"x"}`:                                 "",
		`{"i":"a","t":" \n "}`:                                "",
	} {
		src.Request.URL = answers(t, text(`[{"id":1,"state":"ok","title":"",`+body[1:]+"]")).URL
		l := poll(t, src)
		if want == "" {
			wantBroken(t, l, 0, "map.key[")
			continue
		}
		wantComplete(t, l, 1)
		if got := l.Items[0].Parts[0].Value + "|" + l.Items[0].Parts[1].Value; got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// case C7: a person's address or a secret in an id is in no key, and two people
// stay two.
func TestIdsHoldNoSecrets(t *testing.T) {
	body := `[{"id":1,"state":"ok","service":"alice@example.com"},{"id":2,"state":"ok","service":"bob@example.com"},` +
		`{"id":3,"state":"ok","service":"` + token + `"},{"id":4,"state":"ok","service":"x-` + token + `-y"}]`
	src := plain(answers(t, text(body)).URL)
	src.Request.Bearer = "ssm:/ringonce/token"
	first, second := fetchWith(t, newVault(), src, nil), fetchWith(t, newVault(), src, nil)
	wantBroken(t, first, 2, "item 3 (id 3): map.key[0].value: holds a secret", "item 4 (id 4)")
	wantNone(t, first, token, "alice", "bob@")
	a, b := first.Items[0].Parts[0].Value, first.Items[1].Parts[0].Value
	if a == b || !strings.HasPrefix(a, "{email-") || a != second.Items[0].Parts[0].Value {
		t.Errorf("keys %q and %q, and at the next poll %q", a, b, second.Items[0].Parts[0].Value)
	}
}

func TestIdsMadeByArithmeticStayExact(t *testing.T) {
	src := plain(answers(t, text(`[{"service":72887070,"state":"ok","id":123456789012345678901234567890}]`)).URL)
	src.Map.Evidence.VendorID = ".id + 1"
	src.Map.Key[0].Value, src.Map.Summary = ".service + 1", `"n \(.service)"`
	l := poll(t, src)
	wantComplete(t, l, 1)
	if l.Items[0].Parts[0].Value != "72887071" || l.Items[0].Summary != "n 72887070" ||
		l.Items[0].Evidence.VendorID != "123456789012345678901234567891" {
		t.Errorf("item %+v", l.Items[0])
	}
}

func TestStatusOfOtherTypes(t *testing.T) {
	src := plain("")
	src.Map.Status, src.Map.Verdicts = ".up", map[string]string{"true": "healthy", "false": "failing", "0": "failing"}
	for value, want := range map[string]observation.Verdict{"true": "healthy", "false": "failing", "0": "failing", "1": "unknown", `"true"`: "healthy", `"True"`: "unknown"} {
		src.Request.URL = answers(t, text(`[{"service":"s","up":`+value+`}]`)).URL
		l := poll(t, src)
		wantComplete(t, l, 1)
		if l.Items[0].Verdict != want {
			t.Errorf("%s: %s, want %s", value, l.Items[0].Verdict, want)
		}
	}
}

func TestStage(t *testing.T) {
	src := plain("")
	src.Map.Evidence.Stage = ".env"
	for env, want := range map[string]string{`"prod"`: "prod", "null": "test", `""`: "test"} {
		src.Request.URL = answers(t, text(`[{"service":"s","state":"ok","env":`+env+`}]`)).URL
		if got := poll(t, src).Items[0].Evidence.Stage; got != want {
			t.Errorf("%s: stage %q, want %q", env, got, want)
		}
	}
}

func TestLinksThatCannotBeOpenedAreLeftOut(t *testing.T) {
	src := plain("")
	src.Map.Evidence.Link = ".url"
	for url, want := range map[string]string{
		"https://x.example/a|b?c=1": "https://x.example/a|b?c=1", "/graph?g0": "", "javascript:alert(1)": "", "ftp://x.example/": "", "": "", "x.example": "",
		"https://x.example/" + strings.Repeat("a", 2000): "",
	} {
		src.Request.URL = answers(t, body(asJSON(t, []item{{"service": "s", "state": "ok", "url": url}}))).URL
		l := poll(t, src)
		wantComplete(t, l, 1)
		if got := l.Items[0].Evidence.Link; got != want {
			t.Errorf("%s: link %q, want %q", url, got, want)
		}
	}
}

func TestTextsAreBounded(t *testing.T) {
	long := strings.Repeat("é", 3000)
	samples := []string{"1", "2", "3", "4", "5", "6"}
	src := plain(answers(t, body(asJSON(t, []item{{"service": "s", "state": "ok", "title": long, "samples": samples}}))).URL)
	src.Map.Evidence.Samples = ".samples"
	got := poll(t, src).Items[0]
	if n := len([]rune(got.Summary)); n != 1000 || !strings.HasSuffix(got.Summary, "é…") || len(got.Evidence.Samples) != 5 {
		t.Errorf("summary of %d characters, %d samples", n, len(got.Evidence.Samples))
	}
}

// A declaration that Check would refuse asks nobody.
func TestFaultyDeclarationIsAProblem(t *testing.T) {
	server := httptest.NewServer(text("[]"))
	defer server.Close()
	src := plain(server.URL)
	src.Map.Key[0].Value = ".service |"
	l := poll(t, src)
	wantBroken(t, l, 0, "map.key[0].value: not a jq program")
	if l.Requests != 0 {
		t.Errorf("%d requests", l.Requests)
	}
	wantBroken(t, poll(t, config.Source{}), 0, "request.url: is missing")
}

func TestChangedMappingIsCompiledAnew(t *testing.T) {
	server := answers(t, text(listOf("1")))
	client := source.New(options(newClock()))
	src := plain(server.URL)
	first := client.Fetch(t.Context(), src)
	src.Map.Summary = `"other"`
	second := client.Fetch(t.Context(), src)
	if first.Items[0].Summary != "t" || second.Items[0].Summary != "other" {
		t.Errorf("summaries %q and %q", first.Items[0].Summary, second.Items[0].Summary)
	}
}

func TestOneClientReadsSideBySide(t *testing.T) {
	server := answers(t, text(listOf("1", "2", "3")))
	client := source.New(options(newClock()))
	done := make(chan observation.Listing)
	for range 8 {
		go func() { done <- client.Fetch(t.Context(), plain(server.URL)) }()
	}
	for range 8 {
		wantComplete(t, <-done, 3)
	}
}

// The same letters in either form of Unicode are one identity, as a whole text and
// as one that volatile words are taken out of.
func TestKeysAreTheSameInEveryFormOfUnicode(t *testing.T) {
	for _, kind := range []string{"id", "text"} {
		keys := map[string]bool{}
		for _, service := range []string{"Zahlung für caf\u00e9", "Zahlung f\u0075\u0308r cafe\u0301"} {
			src := plain(answers(t, body(asJSON(t, []item{{"id": "1", "service": service, "state": "firing"}}))).URL)
			src.Map.Key[0].Type = config.KeyPartType(kind)
			l := poll(t, src)
			wantComplete(t, l, 1)
			keys[keyOf(t, l.Items[0])] = true
		}
		if len(keys) != 1 {
			t.Errorf("type %s: %v", kind, keys)
		}
	}
}
