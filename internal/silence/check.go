package silence

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// The longest texts of a silence, in characters.
const (
	MaxReason = 200
	MaxAuthor = 64
)

// CheckAuthor returns an error if a person's name is invalid. Names are stored and shown
// to others, so a mail address is not allowed.
func CheckAuthor(author string) error {
	switch {
	case strings.TrimSpace(author) == "":
		return errors.New("say who: a name or a login")
	case strings.Contains(author, "@"):
		return errors.New("give a name or a login, not a mail address: it is stored and shown")
	}
	return checkLine(author, MaxAuthor)
}

// CheckReason returns an error if a silence's reason is invalid.
func CheckReason(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return errors.New("say why, for those who wonder that nobody was told")
	}
	return checkLine(reason, MaxReason)
}

func checkLine(text string, limit int) error {
	if n := len([]rune(text)); n > limit {
		return fmt.Errorf("%d characters are too many; %d are allowed", n, limit)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return errors.New("it holds a line break or another character that does not print: write it on one line")
	}
	return nil
}
