package config

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// param is one parameter that a preset declares.
type param struct {
	name        string
	description string
	def         string
	required    bool
	pattern     *regexp.Regexp
}

var paramName = lazily(`^[a-z][a-z0-9_]*$`)

// readParams reads a preset's declarations. A parameter without a default is required
// unless declared otherwise.
func readParams(preset *fields) []param {
	all := preset.child("params")
	if all.node == nil {
		return nil
	}
	params := make([]param, 0, len(all.node.entries))
	for _, e := range all.node.entries {
		f := all.r.fields(e.value, join(all.path, e.key), e.at)
		if !paramName().MatchString(e.key) {
			f.r.fail(e.at, all.path, show(e.key)+" is not a usable name", "use a to z, 0 to 9 and _, starting with a letter")
		}
		params = append(params, readParam(f, e.key))
	}
	return params
}

func readParam(f *fields, name string) param {
	p := param{name: name, description: f.text("description"), def: f.text("default")}
	if p.description == "" {
		f.missing("description", "say in a few words what it is")
	}
	_, hasDefault := f.given("default")
	_, said := f.given("required")
	p.required = f.flag("required") || (!said && !hasDefault)
	if p.required && hasDefault {
		f.fail("required", "a parameter with a default cannot be required", "remove one of the two")
	}
	if pattern := f.text("pattern"); pattern != "" {
		re, err := regexp.Compile("^(?:" + pattern + ")$")
		if err != nil {
			f.fail("pattern", "is not a regular expression of Go's regexp package", "")
		}
		p.pattern = re
	}
	f.end()
	return p
}

// arguments matches the parameters that a source gives with those that its preset
// declares. A value in the result is nil if it is wrong or missing, which has been
// reported.
func arguments(source *fields, p *preset) map[string]*string {
	f := source.child("params")
	values := map[string]*string{}
	if p == nil {
		if at, given := source.given("params"); given && !source.quiet {
			source.r.fail(at, f.path, "parameters are for a preset, and this source has none", "name one with preset:, or write the values where they belong")
		}
		return values
	}
	for _, d := range p.params {
		values[d.name] = argument(f, d, p.name)
	}
	f.end()
	return values
}

// inSentence returns a description in the form that follows a colon.
func inSentence(description string) string {
	description = strings.TrimSuffix(description, ".")
	first, size := utf8.DecodeRuneInString(description)
	if second, _ := utf8.DecodeRuneInString(description[size:]); unicode.IsUpper(second) {
		return description // an abbreviation, such as URL
	}
	return string(unicode.ToLower(first)) + description[size:]
}

func argument(f *fields, d param, preset string) *string {
	value := f.text(d.name)
	switch {
	case value == "" && d.required:
		f.r.fail(f.place(d.name), join(f.path, d.name), fmt.Sprintf("is missing: the preset %s needs it: %s", preset, inSentence(d.description)), "")
		return nil
	case value == "":
		value = d.def
	case d.pattern != nil && !d.pattern.MatchString(value):
		f.fail(d.name, "must match "+strings.TrimSuffix(strings.TrimPrefix(d.pattern.String(), "^(?:"), ")$")+" from end to end", "it is "+inSentence(d.description))
		return nil
	}
	return &value
}
