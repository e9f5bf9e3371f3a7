package redact

import "strings"

// told tells whether a value is a secret, as the name's form and the way it is
// written have it. sure is an assignment that leaves no doubt that it is one.
func (f form) told(v string, sure bool) bool {
	switch f {
	case password, secret:
		return sure || looksSecret(v) || len(v) >= 6 && holdsDigit(v)
	case pass:
		return !outcome(v) && !counted(v) && (sure || len(v) >= 6 && holdsDigit(v))
	case random:
		return len(v) >= 16 && holdsDigit(v) && strings.IndexByte("/.$%*", v[0]) < 0 && !counted(v) || len(v) >= 32 && !strings.ContainsAny(v, " /.:")
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

// looksSecret tells random text from a word: it is long, or holds a digit and
// is not short.
func looksSecret(v string) bool {
	return len(v) >= 24 || (len(v) >= 8 && holdsDigit(v))
}

func holdsDigit(v string) bool { return strings.ContainsAny(v, "0123456789") }

func allDigits(v string, least, most int) bool {
	return len(v) >= least && len(v) <= most && strings.Trim(v, "0123456789") == ""
}

// counted is a small number, maybe with a unit: 3, 12.5%, 250ms, 3/4.
func counted(v string) bool {
	n := 0
	for n < len(v) && (digit(v[n]) || strings.IndexByte(".,/%+-", v[n]) >= 0) {
		n++
	}
	unit := strings.TrimRight(v[n:], ")];.")
	return n > 0 && n <= 6 && len(unit) <= 2 && strings.Trim(strings.ToLower(unit), "abcdefghijklmnopqrstuvwxyz%") == ""
}

// state is what a check has come to, or what stands where a value would.
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

// prose is a word that goes on a sentence behind a flag's name: "--password must be
// set".
func prose(word string) bool {
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
