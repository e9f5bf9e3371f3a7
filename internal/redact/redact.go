// Package redact keeps secrets and personal data out of everything Ringonce
// writes: rows, logs, messages, errors. What it takes out leaves a short word
// in braces, such as {email}; the rest of the text stays as it was.
//
// It knows shapes, not meanings: a name or a street address passes. A source
// maps only the fields it needs, and an operator adds patterns for the rest.
package redact

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Redactor takes out the built-in shapes, the operator's patterns and secrets
// that are known word for word. The zero value knows the built-in shapes only.
type Redactor struct {
	patterns []*regexp.Regexp
	secrets  *strings.Replacer
}

// shortestSecret keeps a known secret of a few letters from being taken out of
// every other word.
const shortestSecret = 4

var plain Redactor

// Text takes secrets and personal data out of a text. Doing so twice gives the
// same as once, and a text without any comes back as it is.
func Text(s string) string { return plain.Text(s) }

// New returns a Redactor that takes out what the patterns match as well, as
// {redacted}. The patterns are regular expressions in Go's syntax.
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

// WithSecrets returns a Redactor that also takes out the given secrets
// wherever they stand, also as a part of an address spells them, as {secret}: what
// a server echoes must not travel on.
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

// maxPasses bounds the work on a text that is made to be awkward.
const maxPasses = 8

// Text takes out secrets and personal data. See the function Text.
func (r *Redactor) Text(s string) string {
	// Taking one thing out can lay another bare, as when what hid a name goes.
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
		// What was taken out before stays, so that a wide pattern does not eat it.
		s = outside(placeholder, s, func(part string) string { return re.ReplaceAllLiteralString(part, "{redacted}") })
	}
	return s
}

var placeholder = later(`\{(?:email|token|key|secret|webhook|card|iban|phone|redacted)\}`)

// outside replaces in what the expression does not match.
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
