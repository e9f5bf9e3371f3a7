package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// scalar returns a field that holds one value, nil if it is absent or has another
// shape.
func (f *fields) scalar(name string) *node {
	n := f.get(name)
	if n == nil {
		return nil
	}
	if n.kind != scalarNode {
		f.fail(name, "want a single value, found "+n.describe(), "")
		return nil
	}
	return n
}

// text returns a field's text without the white space around it.
func (f *fields) text(name string) string {
	n := f.scalar(name)
	if n == nil {
		return ""
	}
	return strings.TrimSpace(n.text)
}

// requiredText is text for a field that must not be absent or empty.
func (f *fields) requiredText(name, fix string) string {
	t := f.text(name)
	if t == "" {
		f.missing(name, fix)
	}
	return t
}

// label checks that a text is one printable line of bounded length.
func (f *fields) label(name, text string, limit int) string {
	if n := len([]rune(text)); n > limit {
		f.fail(name, fmt.Sprintf("is %d characters long; %d are allowed", n, limit), "shorten it")
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		f.fail(name, "holds a line break or another character that does not print", "write it on one line")
	}
	return text
}

// count returns a whole number between two bounds, or the default.
func (f *fields) count(name string, def, low, high int) int {
	n := f.scalar(name)
	if n == nil {
		return def
	}
	v, err := strconv.Atoi(n.text)
	if err != nil || !n.number || v < low || v > high {
		f.fail(name, fmt.Sprintf("%s is not a whole number from %d to %d", show(n.text), low, high), "")
		return def
	}
	return v
}

// countOr is count for a field where a word stands for zero. It refuses 0, which
// could mean "none at all" or "no limit".
func (f *fields) countOr(word, name string, def, low, high int) int {
	if n := f.node.find(name); n != nil && n.kind == scalarNode {
		switch n.text {
		case word:
			f.get(name)
			return 0
		case "0":
			f.get(name)
			f.fail(name, "0 is not used here", "write "+word+", or a number from "+strconv.Itoa(low))
			return def
		}
	}
	return f.count(name, def, low, high)
}

// duration returns a duration between two bounds, or the default.
func (f *fields) duration(name string, def, low, high time.Duration) time.Duration {
	n := f.scalar(name)
	if n == nil {
		return def
	}
	d, err := ParseDuration(n.text)
	if err != nil {
		f.fail(name, show(n.text)+" is not a duration", errDuration.Error())
		return def
	}
	if d < low || d > high {
		f.fail(name, fmt.Sprintf("%s is out of range", show(n.text)), "use "+FormatDuration(low)+" to "+FormatDuration(high))
		return def
	}
	return d
}

// durationOr is duration for a field where a word stands for zero.
func (f *fields) durationOr(word, name string, def, low, high time.Duration) time.Duration {
	if n := f.node.find(name); n != nil && n.kind == scalarNode && n.text == word {
		f.get(name)
		return 0
	}
	return f.duration(name, def, low, high)
}

// choice returns one of the given words, or the default.
func (f *fields) choice(name, def string, words []string) string {
	n := f.scalar(name)
	if n == nil {
		return def
	}
	if !slices.Contains(words, n.text) {
		f.fail(name, show(n.text)+" is not one of "+strings.Join(words, ", "), nearest(n.text, words))
		return def
	}
	return n.text
}

// words returns typed constants as the file writes them.
func words[T ~string](all ...T) []string {
	out := make([]string, len(all))
	for i, v := range all {
		out[i] = string(v)
	}
	return out
}

// requiredChoice is choice for a required field.
func (f *fields) requiredChoice(name string, words []string, fix string) string {
	v := f.choice(name, "", words)
	if v == "" {
		f.missing(name, fix)
	}
	return v
}

// nearest is didYouMean without the list, for a message that already has it.
func nearest(written string, words []string) string {
	if fix := didYouMean(written, words); strings.HasPrefix(fix, "did") {
		return fix
	}
	return ""
}

// flag returns true or false.
func (f *fields) flag(name string) bool {
	return f.choice(name, "false", []string{"true", "false"}) == "true"
}
