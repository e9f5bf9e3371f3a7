package memory

import (
	"reflect"
	"strconv"
	"sync"
	"time"
)

// size estimates the size, in bytes, of a value's row: the names and values of its
// fields that are not zero, counted as "DynamoDB Item sizes and formats" in the
// Developer Guide does. Names here are a few bytes shorter or longer than those in
// the table.
func size(v any) int { return sizeOf(reflect.ValueOf(v)) }

// stampSize is the size of a time as text.
const stampSize = len("2006-01-02T15:04:05.000Z")

func sizeOf(v reflect.Value) int {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Int, reflect.Int64:
		var digits [20]byte
		return len(strconv.AppendInt(digits[:0], v.Int(), 10))/2 + 2
	case reflect.Slice:
		return sliceSize(v)
	case reflect.Map:
		n := 3
		for entry := v.MapRange(); entry.Next(); {
			n += 1 + sizeOf(entry.Key()) + sizeOf(entry.Value())
		}
		return n
	case reflect.Struct:
		return structSize(v)
	default:
		return 1
	}
}

func sliceSize(v reflect.Value) int {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return v.Len()
	}
	n := 3
	for i := range v.Len() {
		n += 1 + sizeOf(v.Index(i))
	}
	return n
}

func structSize(v reflect.Value) int {
	if v.Type() == reflect.TypeFor[time.Time]() {
		return stampSize
	}
	n := 3
	for i, name := range fieldNames(v.Type()) {
		if f := v.Field(i); !f.IsZero() {
			n += 1 + len(name) + sizeOf(f)
		}
	}
	return n
}

// named caches the field names of each struct type.
var named sync.Map

func fieldNames(t reflect.Type) []string {
	if known, ok := named.Load(t); ok {
		return known.([]string)
	}
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Name
	}
	named.Store(t, names)
	return names
}
