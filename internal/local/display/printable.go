package display

import (
	"strings"
	"unicode"
)

// clean keeps vendors' text from controlling the terminal.
func (l *line) clean() {
	for _, text := range []*string{
		&l.Msg, &l.Source, &l.Tick, &l.Outcome, &l.IncidentKey, &l.Verdict, &l.Summary, &l.Action,
		&l.Reason, &l.Destination, &l.State, &l.Code, &l.Note, &l.Silence,
	} {
		*text = printable(*text)
	}
	for i, p := range l.Problems {
		l.Problems[i] = printable(p)
	}
	if text, ok := l.Status.(string); ok {
		l.Status = printable(text)
	}
}

// printable removes control characters, which move the cursor or change colours, and
// marks that change the direction of text. A line break becomes a blank, so that
// nobody can forge a line.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		default:
			return r
		}
	}, s)
}
