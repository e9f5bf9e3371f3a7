package source

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"

	"github.com/itchyny/gojq"
)

// program is one jq program of a mapping, and the path of its field.
type program struct {
	path string
	code *gojq.Code
	// fields or constant is set if the program is only that.
	fields   []string
	constant *string
	// known is the value of $field, which discovery gives; nil without discovery.
	known any
}

// knownName is the variable of what discovery found.
const knownName = "$field"

// compile parses and compiles a program; an empty one is nil.
func compile(path, text string) (*program, *Fault) {
	if text == "" {
		return nil, nil
	}
	query, err := gojq.Parse(text)
	if err == nil {
		p := &program{path: path, fields: fields(query), constant: constant(query)}
		guard(reflect.ValueOf(query))
		if p.code, err = gojq.Compile(query, options...); err == nil {
			return p, nil
		}
	}
	return nil, &Fault{Path: path, What: "not a jq program: " + err.Error(), Fix: "correct the program; it runs on one JSON value and has jq's own functions, to_number, to_time and sha1, and the variable $field"}
}

// results iterates over the values of one run of a program.
type results struct {
	iter gojq.Iter
	fuel *fuel
}

func (p *program) run(ctx context.Context, input any, steps int) results {
	fuel := newFuel(ctx, steps)
	return results{p.code.RunWithContext(fuel, input, p.known), fuel}
}

// next returns the next value; ok is false after the last. A panic in the jq library,
// which reads vendors' data, becomes an error of this value.
func (r results) next() (v any, ok bool, err error) {
	defer func() {
		if recover() != nil {
			v, ok, err = nil, false, errors.New("the program broke down on this value")
		}
	}()
	v, ok = r.iter.Next()
	if !ok {
		return nil, false, nil
	}
	if failed, is := v.(error); is {
		return nil, false, r.words(failed)
	}
	return v, true, nil
}

// each calls visit with every value, until the program or visit returns an error.
func (r results) each(visit func(any) error) error {
	for {
		v, ok, err := r.next()
		if err != nil || !ok {
			return err
		}
		if err := visit(v); err != nil {
			return err
		}
	}
}

// one runs a program that must give exactly one value.
func (p *program) one(ctx context.Context, input any) (any, error) {
	if p.fields != nil {
		return walk(input, p.fields)
	}
	if p.constant != nil {
		return *p.constant, nil
	}
	return p.machine(ctx, input)
}

func (p *program) machine(ctx context.Context, input any) (any, error) {
	r := p.run(ctx, input, itemSteps)
	v, ok, err := r.next()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errors.New("gave no value; let it give one, or null")
	}
	if _, more, err := r.next(); more || err != nil {
		return nil, errors.New("gave more than one value; let it give one")
	}
	return v, nil
}

var (
	applied = regexp.MustCompile(`^(\w+)(?:\(.*\))? cannot be applied to:? (null|boolean|number|string|array|object)\b`)
	wrong   = regexp.MustCompile(`^(?:cannot iterate over|expected [a-z ]+ but got): (?:null|boolean|number|string|array|object)\b`)
)

// words describes an error without the value, which the jq library quotes: it may be
// anything that a vendor sent.
func (r results) words(err error) error {
	if r.fuel.overMemory {
		return errors.New("makes more than there is memory for; simplify the program")
	}
	if r.fuel.empty() {
		return errors.New("runs without end or far too long; simplify the program")
	}
	if r.fuel.Context.Err() != nil {
		return errors.New("was stopped with the poll")
	}
	if own, ok := errors.AsType[*valueError](err); ok {
		return own
	}
	text := err.Error()
	if m := wrong.FindString(text); m != "" {
		return errors.New(m)
	}
	if m := applied.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s cannot be applied to %s", m[1], m[2])
	}
	return errors.New("failed; try the program on the vendor's answer")
}
