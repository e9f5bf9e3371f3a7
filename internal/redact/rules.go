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
	{func(s string, t traits) bool { return t.at || strings.IndexByte(s, '/') >= 0 }, links},
	{func(s string, _ traits) bool { return mayHoldPrivateKey(s) }, privateKeys},
	{func(s string, _ traits) bool { return strings.Contains(s, "eyJ") }, literal(jwt, "{token}")},
	{func(_ string, t traits) bool { return t.longest >= shortestKey }, keys},
	{func(s string, _ traits) bool { return strings.Contains(s, "$") }, literal(passwordHash, "{key}")},
	{func(s string, _ traits) bool { return mayHoldScheme(s) }, scheme},
	{func(s string, _ traits) bool { return mayHoldCookie(s) }, cookies},
	{func(string, traits) bool { return true }, settings},
	{func(s string, t traits) bool { return t.at || mayHoldAt(s) }, literal(email, "{email}")},
	{func(_ string, t traits) bool { return t.digits >= minIBANDigits }, ibans},
	{func(_ string, t traits) bool { return t.digits >= minCard }, cards},
	{func(_ string, t traits) bool { return t.digits >= minPhone }, phones},
}

// numbersFrom is the index of the first rule for personal numbers.
const numbersFrom = 9

// email is an address in any alphabet (RFC 6531), its @ escaped or not. The domain
// ends in a name, unlike a version after an @; or it is an address in brackets.
var email = later(`(?:(?:[\p{L}\p{M}\p{N}._+'-]|%(?:25)?2[Bb])+|"[^"@\s][^"@]{0,62}")(?:@|＠|%(?:25)?40|\\u0040|&#(?:64|x40);)` +
	`(?:[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*\.\p{L}[\p{L}\p{M}\p{N}-]*|\[[0-9A-Fa-f:.]+\])`)

// mayHoldAt reports whether a text has an @ in another form.
func mayHoldAt(s string) bool {
	return (strings.Contains(s, "40") && (strings.Contains(s, "%40") || strings.Contains(s, "%2540") || strings.Contains(s, "\\u0040") || strings.Contains(s, "&#x40;"))) ||
		strings.Contains(s, "&#64;") || strings.Contains(s, "＠")
}

var schemeValue = later(`(?i)\b(bearer|basic|token|apikey|geniekey)([ \t]+|:[ \t]*|%20|\+)([A-Za-z0-9._~+/=-]+)`)

// scheme removes what follows the name of an authentication scheme, unless it reads
// like a word: "Basic authentication failed" stays.
func scheme(s string) string {
	return schemeValue.ReplaceAllStringFunc(s, func(m string) string {
		p := schemeValue.FindStringSubmatch(m)
		if !looksSecret(p[3]) {
			return m
		}
		return p[1] + p[2] + "{token}"
	})
}

func settings(s string) string { return assignments(s, "{secret}") }
