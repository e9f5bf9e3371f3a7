package redact

import (
	"strings"
)

type rule struct {
	may     func(string, traits) bool
	replace func(string) string
}

// rules run in this order: addresses first, since they hold other shapes;
// then whole secrets; then names with values; then personal data.
var rules = []rule{
	{func(s string, _ traits) bool { return strings.IndexByte(s, '/') >= 0 }, links},
	{func(s string, _ traits) bool { return strings.Contains(s, "eyJ") }, literal(jwt, "{token}")},
	{func(_ string, t traits) bool { return t.longest >= shortestKey }, literal(knownKey, "{key}")},
	{func(s string, _ traits) bool { return mayHoldScheme(s) }, scheme},
	{func(s string, _ traits) bool { return mayHoldAssignment(s) }, assignments},
	{func(_ string, t traits) bool { return t.at }, literal(email, "{email}")},
	{func(_ string, t traits) bool { return t.digits >= minIBANDigits && t.upper >= 2 }, ibans},
	{func(_ string, t traits) bool { return t.digits >= minCard }, cards},
	{func(_ string, t traits) bool { return t.digits >= minPhone }, phones},
}

// numbersFrom is where the rules begin that know numbers of people.
const numbersFrom = 6

// shortestKey is what knownKey matches at least: a prefix of four, ten more.
const shortestKey = 14

var (
	email = later(`[A-Za-z0-9._+-]+(?:@|%40)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)
	// A JSON object in base64url starts with eyJ, so a signed token does too
	// (RFC 7519, section 3.1).
	jwt = later(`\beyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`)
)

// knownKey holds prefixes that issuers publish so that leaks can be found: AWS
// key ids ("IAM identifiers"), GitHub, GitLab, Slack, Sentry, Stripe, npm and
// Google tokens.
var knownKey = later(`\b(?:(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b` +
	`|(?:gh[pousr]_|github_pat_|glpat-|npm_|sntry[su]_|xox[abeprs]-|[rs]k_live_|AIza)[A-Za-z0-9_-]{10,}[A-Za-z0-9_=./+-]*)`)

func literal(re pattern, with string) func(string) string {
	return func(s string) string { return re.ReplaceAllLiteralString(s, with) }
}

var schemeValue = later(`(?i)\b(bearer|basic|token)([ \t]+)([A-Za-z0-9._~+/=-]+)`)

// scheme takes out what follows the name of an authentication scheme, unless
// it reads like a word: "Basic authentication failed" stays.
func scheme(s string) string {
	return schemeValue.ReplaceAllStringFunc(s, func(m string) string {
		p := schemeValue.FindStringSubmatch(m)
		if !looksSecret(p[3]) {
			return m
		}
		return p[1] + p[2] + "{token}"
	})
}

// assignment finds name=value, name: value and "name": "value". The value ends
// at white space, a quote or a separator.
var assignment = later(`(?i)([A-Za-z0-9_-]*(?:authorization|token|secret|password|passwd|pwd|api[_-]?key|access[_-]?key|private[_-]?key|application[_-]?key|signature))` +
	`(\\?["']?[ \t]*)([=:])([ \t]*\\?["']?)((?:(?:bearer|basic|digest|token)[ \t]+)?)([^\s"'\\,;&{}<>]+)`)

var schemeName = later(`(?i)^(?:bearer|basic|digest|token)$`)

// assignments takes the value out where the name tells that it is a secret. An
// equals sign or a quoted name is a setting; after a bare colon the value must
// look like a secret, since "invalid password: too short" is a sentence.
// Addresses have rules of their own.
func assignments(s string) string { return outside(address, s, assignmentsInProse) }

func assignmentsInProse(s string) string {
	return assignment.ReplaceAllStringFunc(s, func(m string) string {
		p := assignment.FindStringSubmatch(m)
		if schemeName.MatchString(p[6]) {
			return m // what follows the scheme's name was taken out before
		}
		sure := p[5] != "" || strings.ContainsAny(p[2], `"'`) || p[3] == "="
		if !sure && !looksSecret(p[6]) {
			return m
		}
		return p[1] + p[2] + p[3] + p[4] + p[5] + "{secret}"
	})
}

// looksSecret tells random text from a word: it is long, or holds a digit and
// is not short.
func looksSecret(v string) bool {
	return len(v) >= 24 || (len(v) >= 8 && strings.ContainsAny(v, "0123456789"))
}
