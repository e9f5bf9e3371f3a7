package redact

import "strings"

// isSecret reports whether a value has the form of a secret. sure says that it was
// written as an assignment beyond doubt.
func (f form) isSecret(v string, sure bool) bool {
	switch f {
	case password, secret:
		return sure || looksSecret(v) || len(v) >= 6 && holdsDigit(v)
	case pass:
		return !outcome(v) && !isCount(v) && (sure || len(v) >= 6 && holdsDigit(v))
	case random:
		return len(v) >= 16 && holdsDigit(v) && strings.IndexByte("/.$%*", v[0]) < 0 && !isCount(v) || len(v) >= 32 && !strings.ContainsAny(v, " /.:")
	case routing:
		return len(v) == 32 && alnums.length(v) == 32 && holdsDigit(v)
	case checkDigits:
		return allDigits(v, 3, 4)
	case once:
		return allDigits(v, 4, 8)
	case social:
		return allDigits(strings.ReplaceAll(v, "-", ""), 9, 9)
	default:
		return false
	}
}

// looksSecret distinguishes random text from a word: it is long, or holds a digit and
// is not short.
func looksSecret(v string) bool {
	return len(v) >= 24 || (len(v) >= 8 && holdsDigit(v))
}

func holdsDigit(v string) bool { return strings.ContainsAny(v, "0123456789") }

func allDigits(v string, least, most int) bool {
	return len(v) >= least && len(v) <= most && strings.Trim(v, "0123456789") == ""
}

// isCount reports whether a value is a small number, maybe with a unit: 3, 12.5%,
// 250ms, 3/4.
func isCount(v string) bool {
	n := 0
	for n < len(v) && (digit(v[n]) || strings.IndexByte(".,/%+-", v[n]) >= 0) {
		n++
	}
	unit := strings.TrimRight(v[n:], ")];.")
	return n > 0 && n <= 6 && len(unit) <= 2 && strings.Trim(strings.ToLower(unit), "abcdefghijklmnopqrstuvwxyz%") == ""
}

// state reports whether a word is the result of a check, or a placeholder for a
// value.
func state(word string) bool {
	switch strings.ToLower(word) {
	case "true", "false", "yes", "no", "on", "off", "ok", "pass", "passed", "fail", "failed", "failure", "success",
		"error", "skip", "skipped", "none", "null", "nil", "undefined", "empty", "unset", "missing", "invalid",
		"incorrect", "wrong", "expired", "required", "unknown", "disabled", "enabled", "hidden", "redacted", "masked",
		"filtered", "changed", "unchanged", "reset", "rotated", "revoked", "denied", "accepted", "rejected", "mismatch",
		"timeout", "unavailable", "forbidden", "unauthorized", "first", "second", "final":
		return true
	default:
		return false
	}
}

func outcome(v string) bool {
	return state(strings.Trim(v, "[]().!:*")) || strings.Trim(v, "*.[]()") == ""
}

// isProse reports whether a word continues a sentence after a flag's name: "--password
// must be set".
func isProse(word string) bool {
	switch strings.ToLower(word) {
	case "a", "an", "and", "are", "argument", "as", "at", "because", "but", "by", "can", "cannot", "does", "expects",
		"file", "flag", "for", "from", "given", "has", "if", "in", "instead", "is", "may", "must", "needs", "not", "of",
		"on", "option", "or", "parameter", "provided", "requires", "set", "should", "specified", "stdin", "the", "to",
		"value", "via", "was", "were", "when", "will", "with", "without", "would":
		return true
	default:
		return false
	}
}
