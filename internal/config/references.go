package config

import (
	"reflect"
)

// SourceSecrets returns the references to the secrets of the sources' requests, each
// once.
func (c *Config) SourceSecrets() []string {
	found := map[string]bool{}
	for _, s := range c.Sources {
		references(reflect.ValueOf(s.Request), found)
	}
	return sortedKeys(found)
}

// DestinationSecrets returns the references to the secrets that messages are sent
// with, each once.
func (c *Config) DestinationSecrets() []string {
	found := map[string]bool{}
	references(reflect.ValueOf(c.Destinations), found)
	return sortedKeys(found)
}

// Secrets returns the references to the secrets that messages to this destination are
// sent with, each once.
func (d Destination) Secrets() []string {
	found := map[string]bool{}
	references(reflect.ValueOf(d), found)
	return sortedKeys(found)
}

// references collects every text in a value that is a reference, so that a new field
// cannot be forgotten here.
func references(v reflect.Value, found map[string]bool) {
	switch v.Kind() {
	case reflect.String:
		if IsReference(v.String()) {
			found[v.String()] = true
		}
	case reflect.Struct:
		for i := range v.NumField() {
			references(v.Field(i), found)
		}
	case reflect.Slice:
		for i := range v.Len() {
			references(v.Index(i), found)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			references(it.Value(), found)
		}
	}
}
