package source

import (
	"encoding/json"
	"errors"
	"math/big"
	"reflect"

	"github.com/itchyny/gojq"
)

// What a vendor sends may make an honest program do far too much. Most of that is
// done in steps, which fuel counts and memory is watched between. What the jq
// library does in one step, which nothing can stop, is bounded here: reading a
// number of millions of digits, and multiplying, which repeats a text or doubles
// the digits of a number. An assignment to an index of many millions is not.
const (
	// maxDigits is how long a number may be; float64 holds 17 digits, no id has
	// a hundred.
	maxDigits = 1000
	// maxRepeated bounds, in bytes, a text that multiplying makes.
	maxRepeated = 1 << 20
)

var errDigits = errors.New("the body holds a number of more than 1000 digits, which is none that anybody means; check request.url")

// longNumber tells whether JSON holds a number of more digits than are read.
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

// guards are what guard puts into programs.
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
		if length(args[0])+length(args[1]) > maxDigits {
			return badValue("multiplies to a number of more than 1000 digits")
		}
		return v
	}),
}

// length is about how many digits a whole number has.
func length(v any) int {
	switch v := v.(type) {
	case *big.Int:
		return v.BitLen() / 3
	case json.Number:
		return len(v)
	default:
		return 0
	}
}

// guard has a program look before it reads a text as numbers and before it
// multiplies: a * b becomes b as $r | a as $l | _product($l; $r) | $l * $r.
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

// as is q as $name | body.
func as(q *gojq.Query, name string, body *gojq.Query) *gojq.Query {
	return &gojq.Query{Left: q, Op: gojq.OpPipe, Right: body, Patterns: []*gojq.Pattern{{Name: name}}}
}

func guardProduct(q *gojq.Query) {
	product := pipe(call("_product", call(left), call(right)), &gojq.Query{Left: call(left), Op: gojq.OpMul, Right: call(right)})
	var out *gojq.Query
	switch q.Op {
	case gojq.OpMul:
		out = as(q.Right, right, as(q.Left, left, product))
	case gojq.OpUpdateMul:
		identity := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity}}
		out = as(q.Right, right, &gojq.Query{Left: q.Left, Op: gojq.OpModify, Right: as(identity, left, product)})
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
