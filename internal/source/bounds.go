package source

import (
	"encoding/json"
	"errors"
	"math/big"
	"reflect"

	"github.com/itchyny/gojq"
)

// A vendor's data may make an honest program do far too much. Most of that work is
// done in steps of the jq machine, which fuel counts and between which memory is
// watched. A single step of the jq library cannot be stopped, so these are bounded
// here: parsing a number of millions of digits, and multiplication, which repeats a
// text or doubles the digits of a number. An assignment to an index of many millions
// is not bounded.
const (
	// maxDigits is the most digits of a number; a float64 holds 17, and no id has a
	// hundred.
	maxDigits = 1000
	// maxRepeated bounds, in bytes, a text that multiplication makes.
	maxRepeated = 1 << 20
)

var errDigits = errors.New("the body holds a number of more than 1000 digits, which is none that anybody means; check request.url")

// longNumber reports whether JSON holds a number of more than maxDigits digits.
func longNumber[T []byte | string](text T) bool {
	run, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted, run = !quoted, 0
		case quoted || c < '0' || c > '9':
			run = 0
		default:
			if run++; run > maxDigits {
				return true
			}
		}
	}
	return false
}

// guards are the functions that guard inserts into programs.
var guards = []gojq.CompilerOption{
	gojq.WithFunction("_short", 0, 0, func(v any, _ []any) any {
		if s, ok := v.(string); ok && longNumber(s) {
			return badValue("was given a text with a number of more than 1000 digits")
		}
		return v
	}),
	gojq.WithFunction("_product", 2, 2, func(v any, args []any) any {
		for i := range 2 {
			s, isText := args[i].(string)
			n, isNumber := gojq.ToFloat64(args[1-i])
			if isText && isNumber && float64(len(s))*n > maxRepeated {
				return badValue("multiplies a text to more than a megabyte")
			}
		}
		if digitCount(args[0])+digitCount(args[1]) > maxDigits {
			return badValue("multiplies to a number of more than 1000 digits")
		}
		return v
	}),
}

// digitCount estimates how many digits a whole number has.
func digitCount(v any) int {
	switch v := v.(type) {
	case *big.Int:
		return v.BitLen() / 3
	case json.Number:
		return len(v)
	default:
		return 0
	}
}

// guard rewrites a program to check a text before it is parsed as numbers, and
// operands before they are multiplied: a * b becomes b as $r | a as $l | _product($l;
// $r) | $l * $r.
func guard(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		guard(v.Elem())
		switch n := v.Interface().(type) {
		case *gojq.Query:
			guardProduct(n)
		case *gojq.Term:
			guardReading(n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			guard(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			guard(v.Index(i))
		}
	}
}

const (
	left  = "$__left"
	right = "$__right"
)

func call(name string, args ...*gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}}
}

func pipe(a, b *gojq.Query) *gojq.Query { return &gojq.Query{Left: a, Op: gojq.OpPipe, Right: b} }

// bind returns q as $name | body.
func bind(q *gojq.Query, name string, body *gojq.Query) *gojq.Query {
	return &gojq.Query{Left: q, Op: gojq.OpPipe, Right: body, Patterns: []*gojq.Pattern{{Name: name}}}
}

func guardProduct(q *gojq.Query) {
	product := pipe(call("_product", call(left), call(right)), &gojq.Query{Left: call(left), Op: gojq.OpMul, Right: call(right)})
	var out *gojq.Query
	switch q.Op {
	case gojq.OpMul:
		out = bind(q.Right, right, bind(q.Left, left, product))
	case gojq.OpUpdateMul:
		identity := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity}}
		out = bind(q.Right, right, &gojq.Query{Left: q.Left, Op: gojq.OpModify, Right: bind(identity, left, product)})
	default:
		return
	}
	out.Meta, out.Imports, out.FuncDefs = q.Meta, q.Imports, q.FuncDefs
	*q = *out
}

func guardReading(t *gojq.Term) {
	if t.Type != gojq.TermTypeFunc || len(t.Func.Args) > 0 || (t.Func.Name != "fromjson" && t.Func.Name != "tonumber") {
		return
	}
	*t = gojq.Term{Type: gojq.TermTypeQuery, Query: pipe(call("_short"), call(t.Func.Name)), SuffixList: t.SuffixList}
}
