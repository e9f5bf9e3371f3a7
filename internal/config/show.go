package config

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxShown = 48
	hidden   = "(value not shown)"
)

// show quotes a value of the file for a message, or hides it if it could be a secret
// or personal data pasted into the wrong field.
func show(text string) string {
	if !utf8.ValidString(text) || len(text) > maxShown || strings.ContainsAny(text, "@\n\r") ||
		strings.Contains(text, "://") || looksSecret(text) {
		return hidden
	}
	return strconv.Quote(text)
}

const pathCharacters = " -_[]0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// showPath cuts a path before the first name that could be a secret or is not
// printable, since names may come from the file.
func showPath(path string) string {
	steps := strings.Split(path, ".")
	for i, s := range steps {
		if strings.Trim(s, pathCharacters) != "" || looksSecret(s) {
			return strings.Join(append(steps[:i], "…"), ".")
		}
	}
	return path
}

// looksSecret reports whether a text looks like a credential: a known prefix, or a
// word of random letters and digits. It may hide a harmless text, which only makes a
// message less clear.
func looksSecret(text string) bool {
	if holdsToken(text) {
		return true
	}
	for _, word := range strings.Fields(text) {
		letters, digits := letterDigits(word)
		if len(word) >= 30 && digits >= 6 && letters > 0 {
			return true
		}
		for _, run := range strings.FieldsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if letters, digits := letterDigits(run); len(run) >= 12 && digits >= 3 && letters > 0 {
				return true
			}
		}
	}
	return false
}

func letterDigits(text string) (letters, digits int) {
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters, digits
}
