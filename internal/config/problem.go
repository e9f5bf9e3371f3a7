package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Severity distinguishes a mistake from a warning. The zero value is a mistake.
type Severity int

// A configuration with a Mistake is not used. A Warning is only reported.
const (
	Mistake Severity = iota
	Warning
)

// Place is a position in a file. Line and Column count from 1; line zero is the file
// as a whole.
type Place struct {
	File   string
	Line   int
	Column int
}

// String formats a place so that editors and terminals can follow it:
// ringonce.yaml:14:5.
func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	s := p.File + ":" + strconv.Itoa(p.Line)
	if p.Column > 0 {
		s += ":" + strconv.Itoa(p.Column)
	}
	return s
}

// Problem is one thing wrong with a configuration. None of its texts holds a
// secret, a mail address or a URL from the file.
type Problem struct {
	Place
	Severity Severity
	// Path names the field: sources[0].owner.
	Path string
	// What says what is wrong, and Fix is the remedy.
	What string
	Fix  string
}

// String renders a problem on one line:
// ringonce.yaml:14:5: sources[0].owner: there is no owner "paymets"; did you mean "payments"?
func (p Problem) String() string {
	s := p.Place.String() + ": "
	if p.Severity == Warning {
		s += "warning: "
	}
	if p.Path != "" {
		s += p.Path + ": "
	}
	s += p.What
	if p.Fix != "" {
		s += "; " + p.Fix
	}
	return s
}

// Problems is everything wrong with a configuration, in the file's order. As
// an error it prints one problem a line.
type Problems []Problem

// Error implements error.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Of returns the problems of one severity.
func (ps Problems) Of(s Severity) Problems {
	var out Problems
	for _, p := range ps {
		if p.Severity == s {
			out = append(out, p)
		}
	}
	return out
}

// Sorted returns the problems in reading order, those of the named file first,
// without duplicates: a preset's problem appears in every source that uses it.
func (ps Problems) Sorted(first string) Problems {
	out := slices.Clone(ps)
	for i := range out {
		if p := &out[i]; p.File != first && strings.HasPrefix(p.Path, "sources[") {
			_, p.Path, _ = strings.Cut(p.Path, "].")
		}
	}
	slices.SortStableFunc(out, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(rank(a.File, first), rank(b.File, first)),
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
		)
	})
	seen := make(map[Problem]bool, len(out))
	return slices.DeleteFunc(out, func(p Problem) bool {
		again := seen[p]
		seen[p] = true
		return again
	})
}

func rank(file, first string) int {
	if file == first {
		return 0
	}
	return 1
}
