package redact

import (
	"strings"
)

// privateKeys removes keys in the text form of RFC 7468, of OpenPGP (RFC 9580) and of
// PuTTY, with their line breaks escaped or not. After a truncated one it removes all
// that follows, because a header inside it may hold any character.
func privateKeys(s string) string {
	var b strings.Builder
	for {
		from := strings.Index(s, beginKey)
		if from < 0 {
			break
		}
		label, _, _ := strings.Cut(s[from+len(beginKey):], dashes)
		if len(label) > maxLabel || !strings.Contains(label, "PRIVATE KEY") {
			b.WriteString(s[:from+len(beginKey)])
			s = s[from+len(beginKey):]
			continue
		}
		b.WriteString(s[:from] + "{key}")
		_, rest, _ := strings.Cut(s[from:], endKey)
		_, s, _ = strings.Cut(rest, dashes)
	}
	return putty.ReplaceAllString(b.String()+s, "${1}{key}")
}

const (
	dashes   = "-----"
	beginKey = dashes + "BEGIN "
	endKey   = dashes + "END "
	maxLabel = 64
)

func mayHoldPrivateKey(s string) bool {
	return strings.Contains(s, "PRIVATE KEY") || strings.Contains(s, "Private-Lines")
}

var (
	putty = later(`(Private-Lines: ?\d+)(?:[ \t\r\n]|\\[rn])+[A-Za-z0-9+/=\s\\]+`)
	// A JSON object in base64url starts with eyJ, so a signed token does too
	// (RFC 7519, section 3.1), and an encrypted one of five parts (RFC 7516).
	jwt = later(`(?:(?:\b|_)eyJ[A-Za-z0-9_-]{4,}\.\.?|eyJ[A-Za-z0-9_-]{4,}\.eyJ)[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?(?:\.[A-Za-z0-9_-]+){0,2}`)
	// passwordHash is the stored form of a password: bcrypt, Argon2, and the forms of
	// crypt(5).
	passwordHash = later(`\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{22,}|argon2(?:id|i|d)\$[A-Za-z0-9$=,+/.-]{20,}|(?:[156]|y|gy|scrypt)\$[./A-Za-z0-9$=,+-]{20,})`)
)

func literal(re pattern, with string) func(string) string {
	return func(s string) string { return re.ReplaceAllLiteralString(s, with) }
}

// cookie is a browser's or a server's cookie header.
var cookie = later(`(?i)\b((?:set-)?cookie2?(?:\\?["'])?[ \t]*[:=,][ \t]*(?:\[[ \t]*)?(?:\\?["'])?)[^\s=;,"'{}\\]+=(?:"[^"\r\n]*"|[^\r\n"'{}\\])[^\r\n"'{}\\]*`)

func cookies(s string) string { return cookie.ReplaceAllString(s, "${1}{secret}") }

func mayHoldCookie(s string) bool {
	for i := 0; i+6 <= len(s); i++ {
		if s[i]|0x20 == 'c' && strings.EqualFold(s[i:i+6], "cookie") {
			return true
		}
	}
	return false
}
