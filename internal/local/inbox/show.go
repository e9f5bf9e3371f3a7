package inbox

import (
	"fmt"
	"strings"
)

// Show renders a message as a person would read it, for a terminal, with or without
// colours.
func (m Message) Show(colour bool) string {
	var b strings.Builder
	p := pen{colour: colour}
	var where, headline string
	var lines []Line
	switch {
	case m.Post != nil && len(m.Post.Shown) > 0:
		where, headline, lines = "Slack "+m.Target, m.Post.Shown[0].Text, m.Post.Shown
	case m.Post != nil:
		where, lines = "Slack "+m.Target, []Line{{Text: m.Post.Fallback}}
	case m.Letter != nil:
		headline, _, _ = strings.Cut(m.Letter.Text, "\n")
		where, lines = "Mail to "+strings.Join(m.Letter.To, ", "), m.Letter.lines()
	case m.Note != nil:
		headline = m.Note.Headline
		where, lines = names[m.Channel]+" "+m.Target, append([]Line{{Style: "header", Text: headline}}, m.Note.Lines...)
	}
	bar := p.paint(barColour(headline), "┃") + " "
	fmt.Fprintf(&b, "%s%s\n", bar, p.paint("2", where))
	for _, l := range lines {
		b.WriteString(strings.TrimRight(bar+p.line(l), " ") + "\n")
	}
	return b.String()
}

// names are people's names for the channels whose messages are notes.
var names = map[string]string{PagerDuty: "PagerDuty", Webhook: "Webhook"}

// lines returns the subject and the text part, which a terminal can show.
func (l *Letter) lines() []Line {
	lines := []Line{{Style: "header", Text: l.Subject}}
	for text := range strings.SplitSeq(strings.TrimRight(l.Text, "\n"), "\n") {
		lines = append(lines, Line{Text: text})
	}
	return lines
}

// pen writes with or without ANSI colours.
type pen struct{ colour bool }

func (p pen) paint(code, s string) string {
	if !p.colour || code == "" {
		return printable(s)
	}
	return "\x1b[" + code + "m" + printable(s) + "\x1b[0m"
}

func (p pen) line(l Line) string {
	return p.paint(map[string]string{"header": "1", "bold": "1", "small": "2"}[l.Style], l.Text)
}

// printable keeps a message from controlling the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || (r >= 0x80 && r < 0xA0) {
			return -1
		}
		return r
	}, s)
}

// barColour returns the colour for a message's headline.
func barColour(headline string) string {
	switch {
	case strings.Contains(headline, "STILL FAILING"):
		return "33"
	case strings.Contains(headline, "FAILING"):
		return "31"
	case strings.Contains(headline, "RESOLVED"):
		return "32"
	default:
		return "37"
	}
}
