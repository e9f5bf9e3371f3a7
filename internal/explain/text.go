package explain

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ringonce/ringonce/internal/notice"
)

// WriteText writes a report for a terminal.
func (rep *Report) WriteText(out io.Writer) error {
	w := &writer{out: out}
	id := rep.Identity
	w.line("%s", cmp.Or(id.Title, rep.Key))
	w.line("%s", rep.Key)
	w.line("%s", rep.standing())
	w.alarm(rep.Differences)
	w.heading("Identity")
	w.table(func(t io.Writer) {
		for _, f := range rep.facts() {
			fmt.Fprintf(t, "  %s\t%s\n", f.Label, f.Value)
		}
	})
	w.heading("Why these notices and no others")
	w.paragraph(rep.Why)
	w.heading("Time line, in ticks (UTC)")
	w.table(func(t io.Writer) { rep.timelineText(t) })
	w.heading("Deliveries")
	w.table(func(t io.Writer) { rep.deliveriesText(t) })
	w.heading("Evidence")
	w.table(func(t io.Writer) {
		for _, f := range rep.Evidence.facts() {
			fmt.Fprintf(t, "  %s\t%s\n", f.Label, f.Value)
		}
	})
	if len(rep.Notes) > 0 {
		w.heading("Limits of this explanation")
		for _, n := range rep.Notes {
			w.paragraph(n)
		}
	}
	return w.err
}

// writer keeps the first error, so that a page reads as a page.
type writer struct {
	out io.Writer
	err error
}

func (w *writer) line(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format+"\n", args...)
	}
}

func (w *writer) heading(s string) { w.line("\n%s", s) }

func (w *writer) table(fill func(io.Writer)) {
	if w.err != nil {
		return
	}
	t := tabwriter.NewWriter(w.out, 0, 0, 2, ' ', 0)
	fill(t)
	w.err = t.Flush()
}

const width = 96

// paragraph breaks a text into lines.
func (w *writer) paragraph(s string) {
	line := " "
	for word := range strings.FieldsSeq(s) {
		if len(line)+1+len(word) > width && line != " " {
			w.line("%s", line)
			line = " "
		}
		line += " " + word
	}
	w.line("%s", line)
}

// alarm shows differences where nobody can miss them.
func (w *writer) alarm(all []Difference) {
	if len(all) == 0 {
		return
	}
	w.line("\n!!! THE LOG OF DECISIONS IS NOT WHAT THE STORED OBSERVATIONS GIVE !!!")
	w.table(func(t io.Writer) {
		for _, d := range all {
			fmt.Fprintf(t, "  %s\tlogged: %s\treplayed: %s\t%s\n", span(d.First, d.Last), d.Log, d.Replay, times(d.Count))
		}
	})
}

func times(n int) string { return fmt.Sprintf("×%d", n) }

// standing says in one line how the incident stands.
func (rep *Report) standing() string {
	s := rep.State
	switch s.Status {
	case "open", "flapping":
		line := fmt.Sprintf("%s since %s, episode %d", s.Status, stamp(s.OpenedAt), s.Episode)
		if !s.NextReminder.IsZero() {
			line += ", next reminder " + stamp(s.NextReminder)
		}
		return line
	case "streak":
		return fmt.Sprintf("on a failing streak of %d that has not opened", s.FailingStreak)
	case "resolved":
		return fmt.Sprintf("resolved at %s, episode %d", stamp(s.ResolvedAt), s.Episode)
	default:
		return "never opened"
	}
}

// Fact is one labelled value of a report.
type Fact struct{ Label, Value string }

// facts are the identity, without what is not known.
func (rep *Report) facts() []Fact {
	id := rep.Identity
	all := []Fact{{"kind", id.Kind}}
	for _, p := range id.Parts {
		all = append(all, Fact{p.Name, p.Value})
	}
	owner := id.Owner
	if id.CostCenter != "" {
		owner += ", cost center " + id.CostCenter
	}
	all = append(all, Fact{"environment", id.Environment}, Fact{"owner", owner}, Fact{"what to do", id.OperatorAction},
		Fact{"policy", rep.policyText()}, Fact{"configuration", short(id.ConfigHash)}, Fact{"asked for", rep.askedFor()})
	return nonEmpty(all)
}

func nonEmpty(all []Fact) []Fact {
	kept := all[:0]
	for _, f := range all {
		if f.Value = notice.OneLine(f.Value); f.Value != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

func (rep *Report) askedFor() string {
	by := map[string]string{ByKey: "its key", ByPrefix: "the beginning of its key", ByVendorID: "the vendor's id"}[rep.Found.By]
	if rep.Found.DeliveryID != "" {
		by = "message " + rep.Found.DeliveryID
	}
	w := rep.Window
	text := fmt.Sprintf("%s; %d of %d stored observations shown", by, w.Shown, w.Stored)
	if w.Episode > 0 {
		text += fmt.Sprintf(", those of episode %d", w.Episode)
	}
	return text
}

func (rep *Report) policyText() string {
	p := rep.Identity.Policy
	if p == nil {
		return rep.Identity.PolicyHash
	}
	text := fmt.Sprintf("%s: opens after %s, resolves after %s", rep.Identity.PolicyHash,
		count(p.FailingRequired, "failing poll"), count(p.HealthyRequired, "healthy poll"))
	switch {
	case p.Cooldown <= 0:
		text += ", no reminders"
	case p.MaxReminders > 0:
		text += fmt.Sprintf(", reminds after %s, at most %s", notice.Duration(p.Cooldown), count(p.MaxReminders, "time"))
	default:
		text += ", reminds after " + notice.Duration(p.Cooldown)
	}
	if p.FlapEpisodes > 0 {
		text += fmt.Sprintf(", flapping from %d opens within %s", p.FlapEpisodes, notice.Duration(p.FlapWindow))
	}
	return text
}

func (rep *Report) timelineText(t io.Writer) {
	day := ""
	for _, e := range rep.Timeline {
		if d := e.First.UTC().Format("2 January 2006"); d != day {
			day = d
			fmt.Fprintf(t, "  %s\t\t\t\t\n", day)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", span(e.First, e.Last), e.verdict(), e.Source, e.Mark(), e.Words)
	}
}

// verdict is what was seen, and how often: "failing ×14".
func (e Entry) verdict() string {
	switch {
	case e.What == Decision && !e.Action.Observed():
		return "-"
	case e.Count == 0:
		return "(nothing stored)"
	case e.Verdict == Mixed:
		return "mixed " + times(e.Count)
	case e.Missing:
		return "not reported " + times(e.Count)
	case e.Unseen:
		return "not seen " + times(e.Count)
	default:
		return e.Verdict + " " + times(e.Count)
	}
}

// Mark names an action so that the eye finds it.
func (e Entry) Mark() string {
	if e.What != Decision {
		return "-"
	}
	return fmt.Sprintf("%s %d.%d", strings.ToUpper(string(e.Action)), e.Episode, e.Sequence)
}

func span(first, last time.Time) string {
	first, last = first.UTC(), last.UTC()
	switch {
	case first.Equal(last):
		return first.Format("15:04")
	case first.Format(time.DateOnly) == last.Format(time.DateOnly):
		return first.Format("15:04") + "–" + last.Format("15:04")
	default:
		return first.Format("15:04") + "–" + last.Format("2 Jan 15:04")
	}
}

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

// diverted says in whose place a fallback was told, and why.
func (d Delivery) fallbackText() string {
	text := "sent to the fallback of " + d.For
	if d.Because != "" {
		text += " because " + d.Because
	}
	return text
}

// tries are the attempts of a message, or of the one that told it.
func (d Delivery) allAttempts() []Attempt {
	if d.In == nil {
		return d.Attempts
	}
	if d.In.Instead != nil {
		return slices.Concat(d.In.Attempts, d.In.Instead.Attempts)
	}
	return d.In.Attempts
}

// called names an attempt as one of the message's own or of another one's.
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

// facts are the newest evidence, with when it was first seen.
func (ev Evidence) facts() []Fact {
	if ev.Last == nil {
		return []Fact{{"none", "nothing stored of it"}}
	}
	e := *ev.Last
	all := []Fact{
		{"summary", e.Summary},
		{"status there", e.Status},
		{"link", notice.SafeLink(e.Link)},
		{"id there", e.VendorID},
		{"stage", e.Stage},
		{"deployment", e.Deployment},
		{"correlation id", e.CorrelationID},
	}
	if e.Count > 0 {
		all = append(all, Fact{"seen there", count(int(e.Count), "time")})
	}
	for _, at := range []struct {
		label string
		at    time.Time
	}{{"first event", e.FirstSeen}, {"last event", e.LastSeen}, {"newest evidence", e.Tick}} {
		if !at.at.IsZero() {
			all = append(all, Fact{at.label, at.at.UTC().Format("2006-01-02 15:04:05 UTC")})
		}
	}
	if ev.First != nil && !ev.First.Tick.Equal(e.Tick) {
		all = append(all, Fact{"first evidence", ev.First.Tick.UTC().Format("2006-01-02 15:04:05 UTC")})
	}
	for _, s := range e.Samples {
		all = append(all, Fact{"sample", s})
	}
	return nonEmpty(all)
}
