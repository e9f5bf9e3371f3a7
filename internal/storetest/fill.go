package storetest

import (
	"fmt"
	"reflect"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// filler gives every exported field a distinct value that is not zero, so that a
// field that a store drops, or confuses with another, is noticed.
type filler struct {
	t tb
	n int
}

func filled[T any](t tb) T {
	t.Helper()
	var v T
	f := &filler{t: t}
	f.fill(reflect.ValueOf(&v).Elem(), reflect.TypeFor[T]().Name(), false)
	return v
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	verdictType  = reflect.TypeFor[observation.Verdict]()
	stateType    = reflect.TypeFor[incident.State]()
	sourceType   = reflect.TypeFor[incident.SourceVerdict]()
	inForceType  = reflect.TypeFor[incident.InForce]()
)

// fill fills v, which is called name. A tick has no fraction of a second.
func (f *filler) fill(v reflect.Value, name string, isTick bool) {
	f.n++
	switch v.Type() {
	case timeType:
		v.Set(reflect.ValueOf(f.time(isTick)))
		return
	case durationType:
		v.SetInt(int64(f.n) * int64(time.Millisecond))
		return
	case verdictType:
		v.SetString(string(observation.Failing))
		return
	}
	f.fillKind(v, name, isTick)
}

func (f *filler) fillKind(v reflect.Value, name string, isTick bool) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s-%d ü", name, f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Struct:
		f.fillStruct(v)
	case reflect.Slice:
		f.fillSlice(v, name, isTick)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key, name, false)
		f.fill(value, name, false)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	default:
		f.t.Fatalf("%s is a %s: teach the filler to fill one", name, v.Type())
	}
}

func (f *filler) fillStruct(v reflect.Value) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		// Every time in a state is a tick.
		isTick := field.Name == "Tick" || v.Type() == stateType || v.Type() == sourceType || v.Type() == inForceType
		f.fill(v.Field(i), field.Name, isTick)
	}
}

func (f *filler) fillSlice(v reflect.Value, name string, isTick bool) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		v.SetBytes(fmt.Appendf(nil, "%s-%d ü", name, f.n))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), 2, 2))
	for i := range v.Len() {
		f.fill(v.Index(i), name, isTick)
	}
}

func (f *filler) time(isTick bool) time.Time {
	t := at(1).Add(time.Duration(f.n) * time.Hour)
	if !isTick {
		t = t.Add(time.Duration(f.n) * time.Millisecond)
	}
	return t
}
