package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/observation"
)

// told is one thing that a message says.
type told struct {
	ID     string
	Action incident.Action
}

// message is what a service was handed.
type message struct {
	ID     string
	Repeat bool
	Says   []told
	At     time.Time
}

// render writes a message that the receivers of this package read: which
// notices it carries.
func render(channel string, n notice.Notice) ([]byte, error) {
	m := message{ID: n.DeliveryID, Repeat: n.MayBeRepeat, Says: says(n)}
	if channel == config.ChannelSlackBot {
		return renderBot(m)
	}
	return json.Marshal(m)
}

// says lists what a reader of the notice learns.
func says(n notice.Notice) []told {
	if len(n.Entries) == 0 {
		return tells(n.DeliveryID, n.Tells, n.Action)
	}
	var all []told
	for _, e := range n.Entries {
		all = append(all, tells(e.DeliveryID, e.Tells, e.Action)...)
	}
	return append(all, told{n.DeliveryID, n.Action})
}

func tells(id string, more []string, a incident.Action) []told {
	all := []told{{id, a}}
	for _, m := range more {
		all = append(all, told{m, a})
	}
	return all
}

// receiver is a service. One that honours idempotency keys shows a message with
// a known id to nobody.
type receiver struct {
	name    string
	honours bool
	calls   int
	// out is when it works again.
	out time.Time
	// took is everything that was accepted; shown is what people see.
	took  []message
	shown []message
}

// accept takes a message, and shows it unless it does not reach its reader.
func (r *receiver) accept(m message, now time.Time, reaches bool) {
	m.At = now
	known := false
	for _, old := range r.took {
		known = known || old.ID == m.ID
	}
	r.took = append(r.took, m)
	if reaches && (!r.honours || !known) {
		r.shown = append(r.shown, m)
	}
}

// Send is the deliver.Sender of all receivers but a Slack bot's.
func (w *world) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	var m message
	if err := json.Unmarshal(d.Payload, &m); err != nil {
		panic(err)
	}
	return w.hand(ctx, to, d, m, func() {})
}

// hand hands a message to its receiver, and tells when that has taken it.
func (w *world) hand(ctx context.Context, to config.Destination, d delivery.Delivery, m message, taken func()) delivery.Outcome {
	r := w.receivers[to.ID]
	if processOf(ctx).dead {
		return delivery.Outcome{Class: delivery.Ambiguous, Code: "killed"}
	}
	where := send
	if w.receipted && to.ID == plain {
		where = mail
	}
	f := w.at(ctx, where, "send "+string(d.Action)+" to "+to.ID)
	if processOf(ctx).dead {
		return delivery.Outcome{Class: delivery.Ambiguous, Code: "killed"}
	}
	r.calls++
	if !w.now.Before(d.LeaseUntil) && f != asleep {
		w.foul = append(w.foul, fmt.Sprintf("%s %s was sent after its lease had run out", d.Action, d.ID))
	}
	if f == outage {
		r.out = w.now.Add(6 * time.Minute)
	}
	if w.now.Before(r.out) {
		return delivery.Outcome{Class: delivery.Temporary, Status: 503, Code: "http_503"}
	}
	switch f {
	case tooMany:
		return delivery.Outcome{Class: delivery.RateLimited, Status: 429, Code: "rate_limited", RetryAfter: 30 * time.Second}
	case serverError:
		return delivery.Outcome{Class: delivery.Temporary, Status: 500, Code: "http_500"}
	case refused:
		return delivery.Outcome{Class: delivery.Permanent, Status: 400, Code: "invalid_payload"}
	case gone:
		return delivery.Outcome{Class: delivery.Permanent, Status: 404, Code: "no_service"}
	case hang:
		w.now = w.now.Add(10 * time.Second)
		return delivery.Outcome{Class: delivery.Ambiguous, Code: "timeout"}
	}
	r.accept(m, w.now, f != bounced)
	taken()
	if where == mail {
		w.receipts = append(w.receipts, fateOf(d, f, w.now))
		w.beat(ctx, observation.BeatMailed)
	}
	switch f {
	case acceptAndClose:
		return delivery.Outcome{Class: delivery.Ambiguous, Code: "connection_lost"}
	case killSent:
		processOf(ctx).dead = true
		return delivery.Outcome{Class: delivery.Ambiguous, Code: "killed"}
	case asleepSent:
		w.sleepPastTheLease()
	}
	return delivery.Outcome{Class: delivery.Accepted, Status: 200}
}

// times counts the messages that say it, and those of them that do not say that
// they may be a repeat.
func (r *receiver) times(id string) (shown, unmarked int) {
	for _, m := range r.shown {
		if m.tells(id) {
			shown++
			if !m.Repeat {
				unmarked++
			}
		}
	}
	return shown, unmarked
}

// first is the place of the first message that says it, -1 without one.
func (r *receiver) first(id string) int {
	for i, m := range r.shown {
		if m.tells(id) {
			return i
		}
	}
	return -1
}

func (m message) tells(id string) bool {
	for _, t := range m.Says {
		if t.ID == id {
			return true
		}
	}
	return false
}

// has reports whether a message of that id was accepted.
func (r *receiver) has(id string) bool {
	for _, m := range r.took {
		if m.ID == id {
			return true
		}
	}
	return false
}

// shownIDs are the ids of what people see, sorted.
func (r *receiver) shownIDs() []string {
	var ids []string
	for _, m := range r.shown {
		ids = append(ids, m.ID)
	}
	slices.Sort(ids)
	return ids
}
