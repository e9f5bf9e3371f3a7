package redact

import (
	"strings"
)

// shortestKey is the run of letters, digits, "_" and "-" that knownKey finds at
// least: a prefix of four, ten more.
const shortestKey = 14

var (
	// privateKey is a key in the text form of RFC 7468, its line breaks escaped or
	// not, whole or cut off.
	privateKey = later(`-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?`)
	// A JSON object in base64url starts with eyJ, so a signed token does too
	// (RFC 7519, section 3.1), and an encrypted one of five parts (RFC 7516).
	jwt = later(`(?:\b|_)eyJ[A-Za-z0-9_-]{4,}\.\.?[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?(?:\.[A-Za-z0-9_-]+){0,2}`)
)

// knownKey holds prefixes that issuers publish so that leaks can be found: AWS
// key ids ("IAM identifiers"), GitHub, GitLab, Grafana, Healthchecks, Infrai,
// Slack, Sentry, Shopify, Stripe, OpenAI and its like, SendGrid, npm and Google.
var knownKey = later(`\b(?:(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b` +
	`|(?:gh[pousr]_|github_pat_|glpat-|glsa_|hc[wr]_|ifr_|npm_|sntry[su]_|xox[abceprs]-|xapp-|shp(?:at|ca|pa|ss)_` +
	`|[rs]k_(?:live|test)_|whsec_|sk-(?:ant|or|proj|svcacct)-|AIza)[A-Za-z0-9_-]{10,}[A-Za-z0-9_=./+-]*` +
	`|sk-[A-Za-z0-9]{20,}|ya29\.[A-Za-z0-9_-]{14,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})`)

func literal(re pattern, with string) func(string) string {
	return func(s string) string { return re.ReplaceAllLiteralString(s, with) }
}

// cookie is what a browser or a server says of its session.
var cookie = later(`(?i)\b((?:set-)?cookie["']?[ \t]*[:=][ \t]*["']?)[^\s=;,"'{}]+=[^\r\n"'{}]+`)

func cookies(s string) string { return cookie.ReplaceAllString(s, "${1}{secret}") }

func mayHoldCookie(s string) bool {
	for i := 0; i+6 <= len(s); i++ {
		if s[i]|0x20 == 'c' && strings.EqualFold(s[i:i+6], "cookie") {
			return true
		}
	}
	return false
}
