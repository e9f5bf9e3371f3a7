package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// idRules are the rules for identifiers: addresses and secrets, but no numbers, since
// a long id may look like a card or telephone number by chance.
var idRules = rules[:numbersFrom]

// ID removes secrets and mail addresses from an identifier. It replaces one by
// {email-1b2c…} or the like: the word is its kind, and the hash, of the whole text,
// keeps two identifiers different. Inside a web address no word is left, and the hash
// follows as {link-1b2c…}. The result is always the same for the same text, and an
// identifier without any is unchanged.
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

// Knows reports whether a text contains a known secret.
func (r *Redactor) Knows(s string) bool {
	return r.secrets != nil && r.secrets.Replace(s) != s
}
