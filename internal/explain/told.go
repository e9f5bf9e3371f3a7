package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// reach is what is known of whether the reader of a message has it.
type reach int

const (
	notReached reach = iota
	maybeReached
	wasReached
)

// heard says it of a message, or of the one that tells it.
func (d Delivery) reach() reach {
	if d.returned() {
		return notReached
	}
	if d.In != nil {
		return d.In.reach()
	}
	return reachOf(d.State, d.Ambiguous)
}

func (t Telling) reach() reach {
	h := reachOf(t.State, t.Ambiguous)
	if t.Instead != nil {
		h = max(h, t.Instead.reach())
	}
	return h
}

func reachOf(state string, ambiguous bool) reach {
	switch {
	case state == string(delivery.Delivered), state == expiredState:
		return wasReached
	case ambiguous:
		return maybeReached
	default:
		return notReached
	}
}

// returned reports a message that its provider took and could not bring.
func (d Delivery) returned() bool {
	return d.Receipt != nil && d.Receipt.Fate.Bad() && d.Receipt.Fate != delivery.Complained
}

// arrivals is how often a message may have arrived at most. One that was sent again
// without a word that it may be a repeat, where its provider keeps an idempotency
// key or was asked whether it has it, is the same.
func maxArrivals(all []Attempt) int {
	n := 0
	for _, a := range all {
		may := a.Class == string(delivery.Accepted) || a.Class == string(delivery.Ambiguous)
		if may && (n == 0 || a.Repeat) {
			n++
		}
	}
	return n
}

// inDoubt says what is not known of a message whose attempts were not all answered.
func (d Delivery) doubtText() string {
	ambiguous := d.Ambiguous || d.In != nil && d.In.Ambiguous
	switch {
	case !ambiguous:
		return ""
	case maxArrivals(d.allAttempts()) > 1:
		return "it may have arrived more than once"
	case d.reach() == maybeReached:
		return "whether it arrived is not known"
	default:
		return ""
	}
}

// audience names the destinations of one action: those that it reached, those that
// it may have reached, and those that it has not.
func audience(rep *Report, episode, sequence int) string {
	by, silenced := map[reach][]string{}, false
	instead := map[string]bool{}
	for _, d := range rep.Deliveries {
		if d.Episode != episode || d.Sequence != sequence {
			continue
		}
		if silenced = silenced || d.SilencedBy != ""; d.SilencedBy == "" {
			by[d.reach()] = append(by[d.reach()], d.addressee())
			instead[d.For] = instead[d.For] || d.reach() == wasReached
		}
	}
	without := slices.DeleteFunc(by[notReached], func(to string) bool { return instead[to] })
	text := list(by[wasReached])
	switch {
	case len(by) == 0 && !silenced:
		return expiredAudience(rep, episode, sequence)
	case text == "" && len(by[maybeReached]) > 0:
		text = "nobody for sure"
	case text == "":
		return "nobody"
	}
	if len(by[maybeReached]) > 0 {
		text += ", perhaps " + list(by[maybeReached])
	}
	if len(without) > 0 {
		text += ", not " + list(without)
	}
	return text
}

// unstored is the audience of an action of which no message is stored.
func expiredAudience(rep *Report, episode, sequence int) string {
	for _, e := range rep.Timeline {
		if e.What == Decision && e.Episode == episode && e.Sequence == sequence && len(e.To) > 0 {
			return list(e.To) + " (the messages are not stored any more)"
		}
	}
	return "nobody that the ledger knows of"
}

// reached reports whether an action has told anybody, as far as is known.
func reachedAnyone(rep *Report, e Entry) bool {
	stored := false
	for _, d := range rep.Deliveries {
		if d.Episode == e.Episode && d.Sequence == e.Sequence {
			if d.reach() == wasReached {
				return true
			}
			stored = true
		}
	}
	return !stored && len(e.To) > len(e.Silenced)
}

// addressee is who was told, and in whose place.
func (d Delivery) addressee() string {
	if in := d.In; in != nil && in.Instead != nil && in.Instead.reach() > reachOf(in.State, in.Ambiguous) {
		return inPlace(in.Instead.Destination, d.Destination)
	}
	if d.For == "" {
		return d.Destination
	}
	return inPlace(d.Destination, d.For)
}

func inPlace(told, of string) string { return told + " (in place of " + of + ")" }

// ended says how the episode ended, and why it was not opened a second time.
func (ep Episode) endWords(rep *Report, r *replay) []string {
	var say []string
	if ep.Opens == 1 {
		say = append(say, "There was no second open, because an open incident is not opened again, however often it is seen failing: this one was open from "+
			ep.Opened.UTC().Format("15:04")+" "+r.untilText(ep.Number)+".")
	}
	for _, e := range ep.entries(rep, incident.Resolve) {
		if e.left > 0 {
			continue // the last one tells of all
		}
		say = append(say, "The resolve ("+e.Words+") told "+audience(rep, ep.Number, e.Sequence)+".")
	}
	if p := r.policyNow(rep.Identity); r.isOpen(ep.Number) && p != nil {
		say = append(say, fmt.Sprintf("It will resolve after %s.", inARow(r.stored.HealthyNeeded(*p), "healthy poll")))
	}
	return say
}

func (r *replay) isOpen(episode int) bool { return r.stored.Open && r.stored.Episode == episode }

// until says until when an episode was open, also if that is not shown.
func (r *replay) untilText(episode int) string {
	for _, d := range r.log {
		if d.Episode == episode && d.Action == incident.Resolve && d.Left == 0 {
			return "until it resolved at " + stamp(d.Tick)
		}
	}
	if r.isOpen(episode) {
		return "and it is open still"
	}
	return "and is over"
}

// later says what the provider has said of a message after taking it.
func (d Delivery) receiptText() string {
	if d.Receipt == nil || !d.Receipt.Fate.Bad() {
		return ""
	}
	text := "; its provider said later that it " + map[delivery.Fate]string{
		delivery.Bounced: "bounced", delivery.Rejected: "was rejected", delivery.Complained: "was called spam",
	}[d.Receipt.Fate]
	if code := notice.OneLine(d.Receipt.Code); code != "" {
		text += " (" + strings.TrimSpace(code) + ")"
	}
	return text
}
