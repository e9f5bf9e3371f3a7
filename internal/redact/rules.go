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
	{func(s string, _ traits) bool { return strings.Contains(s, "PRIVATE KEY") }, literal(privateKey, "{key}")},
	{func(s string, _ traits) bool { return strings.Contains(s, "eyJ") }, literal(jwt, "{token}")},
	{func(_ string, t traits) bool { return t.longest >= shortestKey }, literal(knownKey, "{key}")},
	{func(s string, _ traits) bool { return mayHoldScheme(s) }, scheme},
	{func(s string, _ traits) bool { return mayHoldCookie(s) }, cookies},
	{func(s string, _ traits) bool { return mayHoldAssignment(s) }, assignments},
	{func(s string, t traits) bool { return t.at || mayHoldAt(s) }, literal(email, "{email}")},
	{func(_ string, t traits) bool { return t.digits >= minIBANDigits }, ibans},
	{func(_ string, t traits) bool { return t.digits >= minCard }, cards},
	{func(_ string, t traits) bool { return t.digits >= minPhone }, phones},
}

// numbersFrom is where the rules begin that know numbers of people.
const numbersFrom = 8

// email is an address of any alphabet (RFC 6531), its @ escaped or not. A domain
// ends in a name, which a version behind an @ does not; or it is an address in
// brackets.
var email = later(`(?:(?:[\p{L}\p{M}\p{N}._+'-]|%(?:25)?2[Bb])+|"[^"@\s][^"@]{0,62}")(?:@|＠|%(?:25)?40|\\u0040|&#(?:64|x40);)` +
	`(?:[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*\.\p{L}[\p{L}\p{M}\p{N}-]*|\[[0-9A-Fa-f:.]+\])`)

// mayHoldAt tells whether an @ is there in another form.
func mayHoldAt(s string) bool {
	return (strings.Contains(s, "40") && (strings.Contains(s, "%40") || strings.Contains(s, "%2540") || strings.Contains(s, "\\u0040") || strings.Contains(s, "&#x40;"))) ||
		strings.Contains(s, "&#64;") || strings.Contains(s, "＠")
}

var schemeValue = later(`(?i)\b(bearer|basic|token|apikey|geniekey)([ \t]+|:[ \t]*|%20|\+)([A-Za-z0-9._~+/=-]+)`)

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
var assignment = later(`(?i)([A-Za-z0-9_-]*(?:authorization|token|secret|password|passwd|passphrase|pwd|api[_-]?key|access[_-]?key|(?:private|application|secret|encryption|signing|account)[_-]?key|signature))` +
	`(\\?["']?[ \t]*)([=:])([ \t]*\\?["']?)((?:(?:bearer|basic|digest|token|apikey|geniekey|negotiate|oauth)[ \t]+)?)([^\s"'\\,;&{}<>]+)`)

var schemeName = later(`(?i)^(?:bearer|basic|digest|token|apikey|geniekey|negotiate|oauth)$`)

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
		if !sure && !looksSecret(p[6]) && (len(p[6]) < 6 || !strings.ContainsAny(p[6], "0123456789")) {
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
