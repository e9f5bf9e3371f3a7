package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// idRules are the rules for identifiers: addresses and secrets, but no numbers.
// A long id may by chance look like a card's number or a telephone's.
var idRules = rules[:numbersFrom]

// ID takes secrets and mail addresses out of an identifier. What it takes out
// leaves {email-1b2c…} or the like: the word says what it was and the hash, of
// the whole text, keeps two identifiers two. What is taken out of a web address
// leaves no word there, and the hash follows as {link-1b2c…}. The same text always
// gives the same, and an identifier without any comes back as it is.
func ID(s string) string {
	out := s
	for range maxPasses {
		before := out
		found := look(out)
		for _, rule := range idRules {
			if rule.may(out, found) {
				out = rule.replace(out)
			}
		}
		if out == before {
			break
		}
	}
	if out == s {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	hash := hex.EncodeToString(sum[:6])
	if !placeholder.MatchString(out) {
		return out + " {link-" + hash + "}"
	}
	return placeholder.ReplaceAllStringFunc(out, func(p string) string {
		return strings.TrimSuffix(p, "}") + "-" + hash + "}"
	})
}

// Knows reports whether a text holds a secret that is known word for word.
func (r *Redactor) Knows(s string) bool {
	return r.secrets != nil && r.secrets.Replace(s) != s
}
