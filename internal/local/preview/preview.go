// Package preview draws the golden messages of Slack and mail as a reader sees them,
// in light and dark themes, on one self-contained page. Slack's look is approximated;
// a mail is shown as it is.
package preview

import (
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Example is one message in all forms in which it is sent.
type Example struct {
	Name string
	// Slack is the body of a webhook call.
	Slack []byte
	// Mail is a mail's HTML, Text its plain-text part.
	Mail, Text string
}

// order is that of an incident's life; anything else comes at the end.
var order = []string{
	"open", "remind", "resolve", "no_longer_reported", "open_again", "open_flapping", "silence_ended", "silence_ended_unannounced",
	"overflow", "overflow_over", "came_and_went", "digest", "zoned", "repeat", "refused", "restored", "bare", "hostile", "huge",
}

// Load reads the golden messages of a folder with the folders slack and ses.
func Load(dir string) ([]Example, error) {
	found, err := filepath.Glob(filepath.Join(dir, "slack", "*.json"))
	if err != nil || len(found) == 0 {
		return nil, errors.Join(fmt.Errorf("there are no messages below %s: name the folder testdata/golden of a checkout of Ringonce with --goldens", dir), err)
	}
	names := slices.Clone(order)
	for _, path := range found {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var all []Example
	for _, name := range names {
		e, err := load(dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

func load(dir, name string) (Example, error) {
	slack, err := os.ReadFile(filepath.Join(dir, "slack", name+".json"))
	if err != nil {
		return Example{}, err
	}
	mail, err := os.ReadFile(filepath.Join(dir, "ses", name+".html"))
	if err != nil {
		return Example{}, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "ses", name+".txt"))
	return Example{Name: name, Slack: slack, Mail: string(mail), Text: string(text)}, err
}

// Write writes the page.
func Write(w io.Writer, all []Example) error {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8">` +
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
		`<meta name="viewport" content="width=device-width, initial-scale=1"><title>Messages of Ringonce</title><style>` + style + `</style></head><body>` + "\n" +
		`<h1>Every message of Ringonce</h1><p>Slack as it shows them, about; mails by day and by night.</p>` + "\n")
	for _, e := range all {
		slack, err := drawSlack(e.Slack)
		if err != nil {
			return fmt.Errorf("draw the Slack message %s: %w", e.Name, err)
		}
		mail := mailBody(e.Mail)
		b.WriteString(`<section id="` + html.EscapeString(e.Name) + `"><h2>` + html.EscapeString(strings.ReplaceAll(e.Name, "_", " ")) + `</h2><div class="row">` + "\n")
		b.WriteString(`<div class="slack">` + slack + `</div>` + "\n")
		b.WriteString(`<div class="mail day">` + mail + `</div><div class="mail night">` + mail + `</div></div>` + "\n")
		b.WriteString(`<details><summary>The mail as plain text</summary><pre>` + html.EscapeString(e.Text) + `</pre></details></section>` + "\n")
	}
	b.WriteString("</body></html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// mailBody returns the body of a mail, with its style. The mail has escaped its
// content.
func mailBody(mail string) string {
	_, body, ok := strings.Cut(mail, "<body")
	if !ok {
		return ""
	}
	body, _, _ = strings.Cut(body, "</body>")
	return "<div" + body + "</div>"
}
