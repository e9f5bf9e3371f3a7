package memory

import (
	"reflect"
	"sync"
)

// clone copies a value with all slices, maps and pointers that it reaches through
// exported fields. It uses reflection so that a field added to a domain type is not
// shared between the Store and its callers.
func clone[T any](v T) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	out.Set(cloneValue(reflect.ValueOf(&v).Elem()))
	return out.Interface().(T)
}

func cloneValue(v reflect.Value) reflect.Value {
	if !shares(v.Type()) {
		return v
	}
	switch v.Kind() {
	case reflect.Slice:
		return cloneSlice(v)
	case reflect.Map:
		return cloneMap(v)
	case reflect.Struct:
		return cloneStruct(v)
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(cloneValue(v.Elem()))
		return out
	default:
		return v
	}
}

func cloneSlice(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(out, v)
	if shares(v.Type().Elem()) {
		for i := range v.Len() {
			out.Index(i).Set(cloneValue(v.Index(i)))
		}
	}
	return out
}

func cloneMap(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for entry := v.MapRange(); entry.Next(); {
		out.SetMapIndex(entry.Key(), cloneValue(entry.Value()))
	}
	return out
}

// cloneStruct first copies the whole struct, so that unexported fields, such as
// time.Time's, are copied unchanged.
func cloneStruct(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	for _, i := range deepFields(v.Type()) {
		out.Field(i).Set(cloneValue(v.Field(i)))
	}
	return out
}

// deep caches, by struct type, the fields that need more than a plain copy: stores
// copy the same few types over and over.
var deep sync.Map

func deepFields(t reflect.Type) []int {
	if known, ok := deep.Load(t); ok {
		return known.([]int)
	}
	var fields []int
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && shares(f.Type) {
			fields = append(fields, i)
		}
	}
	deep.Store(t, fields)
	return fields
}

// shares reports whether a plain copy of a type shares memory with the original.
func shares(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		return true
	case reflect.Struct:
		return len(deepFields(t)) > 0
	default:
		return false
	}
}
