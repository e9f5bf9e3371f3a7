package incident

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The documented list is closed: every constant of type Code is in it, once.
func TestEveryCodeIsDocumented(t *testing.T) {
	declared := declaredCodes(t)
	var documented []string
	for _, c := range Codes() {
		documented = append(documented, string(c.Code))
		if c.Meaning == "" || !strings.HasSuffix(c.Meaning, ".") || len(c.Actions) == 0 {
			t.Errorf("%s: incomplete documentation %+v", c.Code, c)
		}
	}
	slices.Sort(declared)
	slices.Sort(documented)
	if !slices.Equal(declared, documented) {
		t.Errorf("declared   %q\ndocumented %q", declared, documented)
	}
}

func declaredCodes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Code" {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, text)
		}
		return true
	})
	return codes
}

// The documented forms are what String writes.
func TestReasonForms(t *testing.T) {
	numbers := map[Code][2]int{
		FailingStreakReached: {1, 1}, Reopened: {3, 0}, Flapping: {4, 0}, CooldownElapsed: {2, 0},
		Recovered: {2, 2}, NoLongerReported: {2, 2}, NoLongerSeen: {2, 2}, BelowThreshold: {1, 3}, MaxReminders: {3, 3},
		FlapDamped: {2, 10}, HealthyStreak: {1, 2},
	}
	for _, c := range Codes() {
		r := Reason{
			Code: c.Code, N: numbers[c.Code][0], Of: numbers[c.Code][1], Source: "NAME", By: "NAME", Window: time.Hour,
			At: time.Date(2026, 1, 2, 13, 30, 0, 0, time.FixedZone("", 3600)),
		}
		if got := r.String(); got != c.Form {
			t.Errorf("got %q, documented as %q", got, c.Form)
		}
	}
}

func TestCodesIsACopy(t *testing.T) {
	Codes()[0].Meaning = "overwritten"
	if Codes()[0].Meaning == "overwritten" {
		t.Error("a caller can change the list")
	}
}
