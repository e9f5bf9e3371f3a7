// Package redact keeps secrets and personal data out of everything that Ringonce
// writes: rows, logs, messages, errors. It replaces each by a short word in braces,
// such as {email}, and leaves the rest of the text unchanged.
//
// It recognises forms, not meanings: a name or a street address passes. So a source
// maps only the fields it needs, and an operator adds patterns for the rest.
package redact

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Redactor replaces the built-in forms, the operator's patterns and known secrets.
// The zero value replaces the built-in forms only.
type Redactor struct {
	patterns []*regexp.Regexp
	secrets  *strings.Replacer
}

// shortestSecret keeps a known secret of a few letters from being replaced in
// ordinary words.
const shortestSecret = 4

var plain Redactor

// Text removes secrets and personal data from a text. Applying it twice has the same
// result as once, and a text without any is returned unchanged.
func Text(s string) string { return plain.Text(s) }

// New returns a Redactor that also replaces what the patterns match, by {redacted}.
// The patterns are regular expressions in Go's syntax.
func New(patterns ...string) (*Redactor, error) {
	r := &Redactor{}
	for i, p := range patterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("redaction pattern %d: not a regular expression: %w", i+1, err)
		}
		if re.MatchString("") {
			return nil, fmt.Errorf("redaction pattern %d matches the empty text; make it match at least one character", i+1)
		}
		r.patterns = append(r.patterns, re)
	}
	return r, nil
}

// WithSecrets returns a Redactor that also replaces the given secrets wherever they
// occur, in their spelling within an address too, by {secret}: what a server echoes
// must not be passed on.
func (r *Redactor) WithSecrets(secrets ...string) *Redactor {
	var pairs []string
	for _, s := range secrets {
		if len(s) >= shortestSecret {
			pairs = append(pairs, s, "{secret}")
			for _, spelt := range []string{url.QueryEscape(s), url.PathEscape(s)} {
				if spelt != s {
					pairs = append(pairs, spelt, "{secret}")
				}
			}
		}
	}
	out := Redactor{patterns: r.patterns}
	if len(pairs) > 0 {
		out.secrets = strings.NewReplacer(pairs...)
	}
	return &out
}

// maxPasses bounds the work on an adversarial text.
const maxPasses = 8

// Text removes secrets and personal data. See the function Text.
func (r *Redactor) Text(s string) string {
	// A replacement can expose another secret, for example one whose name it had
	// hidden.
	for range maxPasses {
		out := r.pass(s)
		if out == s {
			break
		}
		s = out
	}
	return s
}

func (r *Redactor) pass(s string) string {
	if r.secrets != nil {
		s = r.secrets.Replace(s)
	}
	found := look(s)
	for _, rule := range rules {
		if rule.may(s, found) {
			s = rule.replace(s)
		}
	}
	for _, re := range r.patterns {
		// Earlier replacements stay, so that a wide pattern does not match them.
		s = outside(placeholder, s, func(part string) string { return re.ReplaceAllLiteralString(part, "{redacted}") })
	}
	return s
}

var placeholder = later(`\{(?:email|token|key|secret|webhook|card|iban|phone|redacted)\}`)

// outside applies replace to the parts that the expression does not match.
func outside(re pattern, s string, replace func(string) string) string {
	var b strings.Builder
	for {
		at := re.FindStringIndex(s)
		if at == nil {
			b.WriteString(replace(s))
			return b.String()
		}
		b.WriteString(replace(s[:at[0]]))
		b.WriteString(s[at[0]:at[1]])
		s = s[at[1]:]
	}
}
