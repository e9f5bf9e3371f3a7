package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

// Message is one action of one thing at one destination.
type Message struct {
	Thing       string
	Action      incident.Action
	Destination string
}

// Expected returns every message of a story, each of which must arrive exactly once.
func Expected(steps []Step) []Message {
	var all []Message
	for _, s := range steps {
		for _, t := range s.Told {
			for _, dest := range Destinations(t.Thing) {
				all = append(all, Message{Thing: t.Thing, Action: t.Action, Destination: dest})
			}
		}
	}
	return all
}

// ThingOf returns the story's name of what a delivery is about.
func ThingOf(d delivery.Delivery) string {
	if id := d.Notice.Evidence.VendorID; id != "" {
		return id
	}
	if _, source, ok := strings.Cut(d.IncidentKey, "/source="); ok {
		return source
	}
	return d.IncidentKey
}

// Row compares one message's expected and actual number of arrivals.
type Row struct {
	Message
	Want, Got int
}

// OK reports whether the message arrived as often as it should.
func (r Row) OK() bool { return r.Want == r.Got }

// Compare compares the delivery ids that arrived with what the story expects. An
// arrival whose id is not in the ledger counts as an unexpected message.
func Compare(steps []Step, ledger []delivery.Delivery, arrived []string) []Row {
	rows := map[Message]*Row{}
	row := func(m Message) *Row {
		if rows[m] == nil {
			rows[m] = &Row{Message: m}
		}
		return rows[m]
	}
	for _, m := range Expected(steps) {
		row(m).Want++
	}
	byID := make(map[string]delivery.Delivery, len(ledger))
	for _, d := range ledger {
		byID[d.ID] = d
	}
	for _, id := range arrived {
		d, ok := byID[id]
		if !ok {
			row(Message{Thing: fmt.Sprintf("unknown delivery id %q", id)}).Got++
			continue
		}
		row(Message{Thing: ThingOf(d), Action: d.Action, Destination: d.Destination}).Got++
	}
	return sorted(rows)
}

func sorted(rows map[Message]*Row) []Row {
	out := make([]Row, 0, len(rows))
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Row) int {
		return cmp.Or(
			cmp.Compare(a.Thing, b.Thing),
			cmp.Compare(rank(a.Action), rank(b.Action)),
			cmp.Compare(a.Destination, b.Destination),
		)
	})
	return out
}

func rank(a incident.Action) int {
	return slices.Index([]incident.Action{incident.Open, incident.Remind, incident.Resolve}, a)
}
