package notice

import (
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
)

// Words is the text of a notice, in reading order and without markup. Channels escape it,
// shorten it to their limits and lay it out; they add no words of their own.
type Words struct {
	// Mark and Headline say what happened and where.
	Mark     string
	Headline string
	// Summary is the vendor's text. It may have several lines.
	Summary string
	// Todo is the operator action; its Value is empty if there is none.
	Todo  Fact
	Facts []Fact
	// Link opens the failure at the vendor and LinkLabel names it. Link is
	// empty unless the vendor's is an http or https URL.
	Link      string
	LinkLabel string
	// Page is the link to the incident's page and PageLabel its label; empty if there
	// are no pages.
	Page      string
	PageLabel string
	// Pages are the page links of a digest's items, labelled with their numbers in the
	// list.
	Pages []Fact
	// Samples are a few of the vendor's texts, newest first. A resolve has none, since
	// earlier messages showed them.
	Samples []string
	// Why says why the notice is sent now, Repeat that it may be a repeat.
	Why    string
	Repeat string
	// Delivery and Key identify the message and the incident, for look-ups.
	Delivery string
	Key      string
}

// Fact is one line of a notice.
type Fact struct {
	Label string
	Value string
}

// Words returns the notice's text.
func (n Notice) Words() Words {
	w := Words{
		Mark: n.mark(), Headline: n.Headline(), Summary: n.summary(), Todo: n.todo(), Facts: n.facts(),
		Link: SafeLink(n.Evidence.Link), LinkLabel: "Open in " + oneLineOr(n.Source, "the source"),
		Page: SafeLink(n.Page), PageLabel: "Open the incident page", Pages: n.pages(),
		Why: OneLine(n.Why), Delivery: OneLine(n.DeliveryID), Key: OneLine(n.IncidentKey),
	}
	if n.Action != incident.Resolve {
		w.Samples = n.samples()
	}
	if n.MayBeRepeat {
		w.Repeat = "This may be a repeat of an earlier message with the same delivery id."
	}
	w.Why = join(w.Why, OneLine(n.belated()))
	return w
}

// Headline says what happened and where: "STILL FAILING in production".
func (n Notice) Headline() string {
	if env := OneLine(n.Environment); env != "" {
		return n.event() + " in " + env
	}
	return n.event()
}

// belated says that the message is late, or which destination it was meant for.
func (n Notice) belated() string {
	var s string
	if !n.DecidedAt.IsZero() {
		s = "told late: it could not be delivered when it was decided, " + n.clock().full(n.DecidedAt)
	}
	if n.For != "" {
		s = join(s, "destination "+n.For+" could not be told ("+n.ForWhy+")")
	}
	return s
}

func (n Notice) event() string {
	switch {
	case n.Action == ActionDigest:
		return n.headlineOfMany()
	case n.Action == ActionRefused:
		return "A DESTINATION REFUSES MESSAGES"
	case n.Action == ActionRestored:
		return "A DESTINATION TAKES MESSAGES AGAIN"
	case n.Kind == incident.KindOverflow:
		return n.overflow()
	case n.Action == incident.Resolve:
		return n.resolved()
	}
	switch n.Action {
	case incident.Open:
		return "FAILING"
	case incident.Remind:
		return "STILL FAILING"
	case incident.SilenceEnded:
		return "STILL FAILING, NO LONGER SILENCED"
	default:
		return strings.ToUpper(strings.ReplaceAll(string(n.Action), "_", " "))
	}
}

func (n Notice) resolved() string {
	switch {
	case n.Unannounced && n.Missing:
		return "FAILED, " + n.missingHeadline()
	case n.Unannounced:
		return "FAILED AND RESOLVED"
	case n.Missing:
		return n.missingHeadline()
	}
	return "RESOLVED"
}

// missingHeadline returns the headline of a resolve without a recovery.
func (n Notice) missingHeadline() string {
	if n.Unseen {
		return "NO LONGER SEEN"
	}
	return "NO LONGER REPORTED"
}

func (n Notice) overflow() string {
	switch n.Action {
	case incident.Resolve:
		return "OVERFLOW IS OVER"
	case incident.Open:
		return "OVERFLOW: TOO MANY NEW FAILURES"
	default:
		return "OVERFLOW GOES ON"
	}
}

func (n Notice) mark() string {
	switch {
	case n.Action == ActionDigest && n.count(groups[0])+n.count(groups[1]) == 0:
		return "🟢"
	case n.Action == incident.Resolve && n.Missing:
		return "⚪"
	case n.Action == incident.Resolve, n.Action == ActionRestored:
		return "🟢"
	case n.Kind == incident.KindOverflow:
		return "🟣"
	case n.Action == incident.Remind, n.Action == incident.SilenceEnded, n.Action == ActionRefused:
		return "🟠"
	default:
		return "🔴"
	}
}

// Subject returns a one-line name of the incident that is the same for a whole episode, so
// that mail programs keep its messages in one thread.
func (n Notice) Subject() string {
	if len(n.Entries) > 0 {
		return OneLine(n.Headline())
	}
	subject := oneLineOr(n.Title, n.summary())
	if env := OneLine(n.Environment); env != "" {
		subject = "[" + env + "] " + subject
	}
	return OneLine(subject)
}

func (n Notice) summary() string {
	if s := Clean(n.Summary); s != "" {
		return s
	}
	return oneLineOr(n.Title, oneLineOr(n.IncidentKey, "(the source gave no summary)"))
}

func (n Notice) samples() []string {
	var samples []string
	for _, s := range n.Evidence.Samples {
		if s = Clean(s); s != "" {
			samples = append(samples, s)
		}
	}
	return samples
}

// todo returns the operator action, labelled for now or, after a resolve, for a
// recurrence.
func (n Notice) todo() Fact {
	label := "What to do"
	if n.Action == incident.Resolve {
		label = "If it comes back"
	}
	return Fact{Label: label, Value: OneLine(n.OperatorAction)}
}
