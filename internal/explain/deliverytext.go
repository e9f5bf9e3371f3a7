package explain

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/notice"
)

// deliveriesText writes the messages, each with its attempts, as rows of a table.
func (rep *Report) deliveriesText(t io.Writer) {
	if len(rep.Deliveries) == 0 {
		fmt.Fprintln(t, "  none")
	}
	for _, d := range rep.Deliveries {
		fmt.Fprintf(t, "  %s %d.%d\t%s\t%s\t%s\t%s\n", d.Action, d.Episode, d.Sequence, d.Destination, d.ID, d.State, d.remark())
		for _, a := range d.allAttempts() {
			fmt.Fprintf(t, "    %s\t%s\t%s\t%s\t%s\n", d.attemptName(a), a.Started.UTC().Format("2006-01-02 15:04:05.000"),
				a.waitText(), words(a.Class), a.detail())
		}
	}
}

// remark returns the last cell of a message's row.
func (d Delivery) remark() string {
	var all []string
	switch {
	case d.In != nil:
		all = append(all, d.In.words())
	case d.Note != "":
		all = append(all, d.Note)
	}
	if d.For != "" {
		all = append(all, d.fallbackText())
	}
	if d.Took > 0 {
		all = append(all, fmt.Sprintf("%.3f s after the decision", d.Took))
	}
	if doubt := d.doubtText(); doubt != "" {
		all = append(all, doubt)
	}
	if r := d.Receipt; r != nil {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s", r.Fate, notice.OneLine(r.Code)))+" by the provider's word at "+r.At.UTC().Format("15:04:05"))
	}
	if !d.DueAt.IsZero() {
		all = append(all, "due "+d.DueAt.UTC().Format("15:04:05"))
	}
	return strings.Join(all, "; ")
}

// fallbackText says for which destination a fallback was told, and why.
func (d Delivery) fallbackText() string {
	text := "sent to the fallback of " + d.For
	if d.Because != "" {
		text += " because " + d.Because
	}
	return text
}

// allAttempts returns the attempts of a message, or of the one that told it in its
// place.
func (d Delivery) allAttempts() []Attempt {
	if d.In == nil {
		return d.Attempts
	}
	if d.In.Instead != nil {
		return slices.Concat(d.In.Attempts, d.In.Instead.Attempts)
	}
	return d.In.Attempts
}

// attemptName names an attempt as the message's own, or as that of the message that
// told it.
func (d Delivery) attemptName(a Attempt) string {
	if d.In != nil {
		return fmt.Sprintf("its attempt %d", a.Number)
	}
	return fmt.Sprintf("attempt %d", a.Number)
}

func (a Attempt) waitText() string {
	if a.Retry {
		return fmt.Sprintf("retry after %.3f s", a.Waited)
	}
	return fmt.Sprintf("first, after %.3f s", a.Waited)
}

func (a Attempt) detail() string {
	var all []string
	if a.Status > 0 {
		all = append(all, fmt.Sprint(a.Status))
	}
	for _, s := range []string{a.Code, a.ProviderID} {
		if s != "" {
			all = append(all, notice.OneLine(s))
		}
	}
	if a.Repeat {
		all = append(all, "said that it may be a repeat")
	}
	return strings.Join(all, " ")
}
