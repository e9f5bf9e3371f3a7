package notice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Entry is one incident in a digest.
type Entry struct {
	Action  incident.Action `json:"action"`
	Summary string          `json:"summary"`
	Since   time.Time       `json:"since"`
	Until   time.Time       `json:"until,omitzero"`
	// Unannounced reports that its open was not announced before.
	Unannounced bool   `json:"unannounced,omitempty"`
	DeliveryID  string `json:"delivery_id"`
	IncidentKey string `json:"incident_key,omitempty"`
	Episode     int    `json:"episode,omitempty"`
	// Page is the signed link to its incident's page, if there is one.
	Page string `json:"page,omitempty"`
	// Number is its number in the digest's list; zero if the list is not numbered or
	// has no room for it.
	Number int `json:"number,omitempty"`
	// Tells are the ids of further deliveries that the entry covers.
	Tells []string `json:"tells,omitempty"`
}

// Together combines the notice of an open that was not sent with later notices of the
// episode. The result describes the incident as of the last one. With no later notices it
// is the open itself.
func Together(open Notice, since []Notice) Notice {
	if len(since) == 0 {
		return open
	}
	n := since[len(since)-1]
	n.Title, n.DeliveryID, n.Sequence = open.Title, open.DeliveryID, open.Sequence
	n.Unannounced = true
	if n.Action != incident.Resolve {
		n.Action, n.Reminder = incident.Open, 0
		n.Why = "still failing after " + Duration(n.Tick.Sub(n.Since)) + "; not told before"
		if !n.NextReminder.IsZero() {
			n.Why += "; next reminder " + n.clock().near(n.NextReminder, n.Tick)
		}
	}
	// The open may itself be a combination with earlier notices.
	n.Tells = slices.Clone(open.Tells)
	for _, s := range since {
		n.Tells = append(n.Tells, s.DeliveryID)
	}
	return n
}

// Digest returns the digest of many notices of one owner. Its list is in reading order:
// opened, still failing, resolved.
func Digest(id string, all []Notice) Notice {
	first := all[0]
	n := Notice{
		Action: ActionDigest, Environment: first.Environment, Owner: first.Owner, CostCenter: first.CostCenter,
		Source: first.Source, OperatorAction: first.OperatorAction, Tick: first.Tick, DeliveryID: id, IncidentKey: DigestKeyPrefix + id,
		For: first.For, ForWhy: first.ForWhy, Zone: first.Zone,
	}
	for _, m := range all {
		if m.Source != n.Source {
			n.Source = ""
		}
		if m.OperatorAction != n.OperatorAction {
			n.OperatorAction = ""
		}
		n.Entries = append(n.Entries, Entry{
			Action: m.Action, Summary: costly.Clip(OneLine(m.summary()), 1, maxEntry), Since: m.Since, Until: m.Until,
			Unannounced: m.Unannounced, DeliveryID: m.DeliveryID, Page: m.Page, Tells: m.Tells,
			IncidentKey: m.IncidentKey, Episode: m.Episode,
		})
	}
	n.Summary = n.digest()
	n.Why = count(len(all), "message") + " waited for this destination at once"
	return n
}

// Since returns a digest updated with incidents that have resolved since. ends maps the
// delivery ids of their entries to their resolve notices.
func Since(digest Notice, ends map[string]Notice) Notice {
	digest.Entries = slices.Clone(digest.Entries)
	for i := range digest.Entries {
		e := &digest.Entries[i]
		e.Number = 0
		if end, over := ends[e.DeliveryID]; over && e.Action != incident.Resolve {
			e.Unannounced = e.Action == incident.Open
			e.Action, e.Since, e.Until = incident.Resolve, end.Since, end.Until
		}
	}
	digest.Summary = digest.digest()
	return digest
}

// The limits of a digest's list, in characters. Within them the channels show it whole.
const (
	maxEntry  = 110
	maxDigest = 1700
)

// costly counts characters as channels may have to escape them.
var costly Cost = func(r rune) int {
	switch r {
	case '&', '<', '>':
		return len("&amp;")
	default:
		return Plain(r)
	}
}

type group struct {
	title string
	holds func(Entry) bool
}

var groups = []group{
	{"Opened", func(e Entry) bool { return e.Action == incident.Open }},
	{"Still failing", func(e Entry) bool { return e.Action == incident.Remind || e.Action == incident.SilenceEnded }},
	{"Resolved", func(e Entry) bool { return e.Action == incident.Resolve && !e.Unannounced }},
	{"Failed and resolved, not told before", func(e Entry) bool { return e.Action == incident.Resolve && e.Unannounced }},
}

// digest formats the list: each group with its count, whole items, and how many more
// there are. If there are pages, it numbers the items and their entries.
func (n Notice) digest() string {
	var filled []group
	for _, g := range groups {
		if n.count(g) > 0 {
			filled = append(filled, g)
		}
	}
	paged := slices.ContainsFunc(n.Entries, func(e Entry) bool { return e.Page != "" })
	sections := make([]string, 0, len(filled))
	listed := 0
	for _, g := range filled {
		text, kept := n.section(g, paged, listed, 24/len(filled), maxDigest/len(filled))
		sections = append(sections, text)
		listed += kept
	}
	return strings.Join(sections, "\n")
}

// pages returns the page links of the listed entries, labelled with their numbers.
func (n Notice) pages() []Fact {
	var links []Fact
	for _, e := range n.Entries {
		if link := SafeLink(e.Page); e.Number > 0 && link != "" {
			links = append(links, Fact{strconv.Itoa(e.Number), link})
		}
	}
	return links
}

func (n Notice) count(g group) int {
	total := 0
	for _, e := range n.Entries {
		if g.holds(e) {
			total++
		}
	}
	return total
}

// section formats a group, numbered from before+1, and returns how many of its items it
// lists.
func (n Notice) section(g group, numbered bool, before, lines, length int) (text string, listed int) {
	var (
		items   []string
		entries []*Entry
	)
	for i := range n.Entries {
		e := &n.Entries[i]
		if !g.holds(*e) {
			continue
		}
		bullet := "• "
		if numbered {
			bullet = strconv.Itoa(before+len(items)+1) + ". "
		}
		items = append(items, bullet+costly.Clip(e.Summary, 1, maxEntry)+", "+e.period(n.clock(), n.Tick))
		entries = append(entries, e)
	}
	kept, _ := costly.Fit(items[:min(len(items), lines-1)], length)
	text = fmt.Sprintf("%s (%d)\n%s", g.title, len(items), strings.Join(kept, "\n"))
	if more := len(items) - len(kept); more > 0 {
		text += fmt.Sprintf("\n+%d more", more)
	}
	for i := range kept {
		if numbered {
			entries[i].Number = before + i + 1
		}
	}
	return text, len(kept)
}

func (e Entry) period(c clock, ref time.Time) string {
	if e.Action == incident.Resolve {
		return "for " + Duration(e.Until.Sub(e.Since)) + " until " + c.near(e.Until, ref)
	}
	return "since " + c.near(e.Since, ref)
}

// Refusal returns the notice that a destination refuses every message. since is when that
// began, code the provider's error code.
func Refusal(n Notice, id, destination, code string, since time.Time) Notice {
	return Notice{
		Action: ActionRefused, Environment: n.Environment, Owner: n.Owner, CostCenter: n.CostCenter, Zone: n.Zone,
		Title: "Destination " + destination + " refuses messages", DeliveryID: id, IncidentKey: DestinationKeyPrefix + destination,
		Summary: "Destination " + destination + " refuses every message (" + code + "). " +
			"Until it takes them again, what it should have been told comes here; it is tried once an hour.",
		OperatorAction: "Check the address and the credentials of destination " + destination + ", and whether its channel still exists.",
		Since:          since, Tick: since, Evidence: Evidence{}, Episode: 1, Sequence: 1,
		Why: "the first refusal; this is told once",
	}
}

// Restored returns the notice, to the reader of a refusal, that the destination accepts
// messages again since the given time.
func Restored(refusal Notice, id, destination string, at time.Time) Notice {
	n := refusal
	n.Action, n.DeliveryID, n.Sequence, n.Tick, n.Until = ActionRestored, id, 2, at, at
	n.Summary = "Destination " + destination + " takes messages again."
	n.OperatorAction, n.Why = "", "the first message that it took"
	return n
}

// headlineOfMany summarises a digest: "10 OPENED, 2 RESOLVED".
func (n Notice) headlineOfMany() string {
	opened, going := n.count(groups[0]), n.count(groups[1])
	over := n.count(groups[2]) + n.count(groups[3])
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{opened, "OPENED"}, {going, "STILL FAILING"}, {over, "RESOLVED"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}
