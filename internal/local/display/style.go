package display

import (
	"io"
	"os"
)

// Style colours text, or leaves it unchanged.
type Style struct{ colour bool }

// Plain has no colours.
var Plain = Style{}

// StyleFor returns a style with colours if out is a terminal and NO_COLOR is not set
// (https://no-color.org).
func StyleFor(out io.Writer) Style {
	f, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return Plain
	}
	info, err := f.Stat()
	return Style{colour: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// Colour reports whether text is coloured.
func (s Style) Colour() bool { return s.colour }

func (s Style) paint(code, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Good marks what went well.
func (s Style) Good(text string) string { return s.paint("32", text) }

// Warn marks what will be tried again.
func (s Style) Warn(text string) string { return s.paint("33", text) }

// Bad marks what a person must look at.
func (s Style) Bad(text string) string { return s.paint("31", text) }

// Dim marks what nobody was notified of.
func (s Style) Dim(text string) string { return s.paint("2", text) }

// Bold marks headings.
func (s Style) Bold(text string) string { return s.paint("1", text) }

// Verdict colours text by a verdict.
func (s Style) Verdict(verdict, text string) string {
	switch verdict {
	case "failing":
		return s.Bad(text)
	case "healthy":
		return s.Good(text)
	default:
		return s.Warn(text)
	}
}

// Action colours text by an action.
func (s Style) Action(action, text string) string {
	switch action {
	case "open":
		return s.paint("1;31", text)
	case "resolve":
		return s.paint("1;32", text)
	default:
		return s.paint("1;33", text)
	}
}
