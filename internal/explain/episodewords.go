package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// words tells an episode in order of time, and then how its messages were delivered.
func (ep Episode) words(rep *Report, r *replay) []string {
	var say []string
	if open := ep.entries(rep, incident.Open); len(open) > 0 {
		say = append(say, fmt.Sprintf("Episode %d opened at %s, %s, and told %s.", ep.Number, stamp(open[0].First),
			afterOpened(open[0].Words), audience(rep, ep.Number, open[0].Sequence)))
	}
	before, after := ep.silentWords()
	say = append(say, before...)
	say = append(say, ep.reminderWords(rep)...)
	say = append(say, ep.quietWords(rep)...)
	say = append(say, after...)
	say = append(say, ep.endWords(rep, r)...)
	return append(say, ep.messageWords(rep)...)
}

// afterOpened returns the words of an open's reason to follow "opened", without when
// the first reminder is due.
func afterOpened(words string) string {
	for _, after := range []string{"; next reminder", "; no reminders"} {
		words, _, _ = strings.Cut(words, after)
	}
	return strings.TrimPrefix(words, "opened ")
}

// entries returns an episode's decisions with one of the actions.
func (ep Episode) entries(rep *Report, actions ...incident.Action) []Entry {
	var out []Entry
	for _, e := range rep.Timeline {
		if e.What == Decision && e.Episode == ep.Number && slices.Contains(actions, e.Action) {
			out = append(out, e)
		}
	}
	return out
}

// silentWords says why the other polls told nobody, in order of time: before is about
// those that belong before the reminders, after about those of the recovery.
func (ep Episode) silentWords() (before, after []string) {
	codes := slices.SortedFunc(maps.Keys(ep.codes), func(a, b incident.Code) int {
		return cmp.Or(ep.codes[a].first.Compare(ep.codes[b].first), cmp.Compare(a, b))
	})
	for _, code := range codes {
		switch t := ep.codes[code]; {
		case ep.Number == 0 && code == incident.NothingOpen:
		case code == incident.HealthyStreak || code == incident.OtherSourceFailing:
			after = append(after, t.words())
		default:
			before = append(before, t.words())
		}
	}
	return before, after
}

// words says why the polls of a tally told nobody.
func (t *tally) words() string {
	span := period(t.first, t.last)
	switch t.reason.Code {
	case incident.CooldownActive:
		return fmt.Sprintf("%s (%s) told nobody: the incident was open already, and a reminder waits for the cooldown to end, the last one until %s.",
			count(t.count, "failing poll"), span, period(t.reason.At, t.reason.At))
	case incident.BelowThreshold:
		return fmt.Sprintf("%s (%s) told nobody, as %d in a row were needed to open.", count(t.count, "failing poll"), span, t.reason.Of)
	case incident.HealthyStreak:
		return fmt.Sprintf("%s without a failure (%s) told nobody, as %d in a row are needed to resolve.", count(t.count, "poll"), span, t.reason.Of)
	case incident.UnknownObservation:
		return fmt.Sprintf("%s (%s) gave no evidence, so nothing moved.", count(t.count, "poll"), span)
	default:
		return fmt.Sprintf("%s (%s) told nobody: %s.", count(t.count, "poll"), span, notice.Why(t.reason, incident.State{}, incident.Policy{}, t.last))
	}
}

// reminderWords tells the reminders, the first five with their times.
func (ep Episode) reminderWords(rep *Report) []string {
	reminders := ep.entries(rep, incident.Remind)
	if len(reminders) == 0 {
		return nil
	}
	at := make([]string, 0, len(reminders))
	for _, e := range reminders[:min(len(reminders), 5)] {
		at = append(at, e.First.Format("15:04"))
	}
	times := list(at)
	if more := len(reminders) - len(at); more > 0 {
		times = strings.Join(at, ", ") + fmt.Sprintf(" and %d more times", more)
	}
	went := "went out"
	if slices.ContainsFunc(reminders, func(e Entry) bool { return len(e.Silenced) > 0 || !reachedAnyone(rep, e) }) {
		went = "came due"
	}
	return []string{fmt.Sprintf("It was still failing when the cooldown was over, so %s %s, at %s.", count(len(reminders), "reminder"), went, times)}
}

// endWords says why there was no second open, and how the episode ended or will end.
func (ep Episode) endWords(rep *Report, r *replay) []string {
	var say []string
	if ep.Opens == 1 {
		say = append(say, "There was no second open, because an open incident is not opened again, however often it is seen failing: this one was open from "+
			ep.Opened.UTC().Format("15:04")+" "+r.untilText(ep.Number)+".")
	}
	for _, e := range ep.entries(rep, incident.Resolve) {
		if e.left > 0 {
			continue // only some destinations were told; the last decision tells the rest
		}
		say = append(say, "The resolve ("+e.Words+") told "+audience(rep, ep.Number, e.Sequence)+".")
	}
	if p := r.policyNow(rep.Identity); r.isOpen(ep.Number) && p != nil {
		say = append(say, fmt.Sprintf("It will resolve after %s.", inARow(r.stored.HealthyNeeded(*p), "healthy poll")))
	}
	return say
}

// isOpen reports whether an episode is open now.
func (r *replay) isOpen(episode int) bool { return r.stored.Open && r.stored.Episode == episode }

// untilText says until when an episode was open, even if the resolve is not in the
// window.
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

// quietWords tells an episode's silences and acknowledgements.
func (ep Episode) quietWords(rep *Report) []string {
	var say []string
	for _, s := range rep.Silences {
		n := 0
		for _, d := range rep.Deliveries {
			if d.Episode == ep.Number && d.SilencedBy == s.ID {
				n++
			}
		}
		if n > 0 {
			say = append(say, fmt.Sprintf("%s kept back %s.", s.sentenceStart(), count(n, "message")))
		}
	}
	for _, e := range ep.entries(rep, incident.SilenceEnded) {
		say = append(say, fmt.Sprintf("It was still failing when a silence had ended: at %s that told %s.",
			e.DecidedAt.UTC().Format("15:04"), audience(rep, ep.Number, e.Sequence)))
	}
	for _, e := range ep.entries(rep, incident.Ack, incident.Unack) {
		say = append(say, fmt.Sprintf("At %s %s.", e.DecidedAt.UTC().Format("15:04"), e.Words))
	}
	return say
}

// sentenceStart returns words with a capital letter.
func (s Silence) sentenceStart() string { return "S" + s.words()[1:] }
