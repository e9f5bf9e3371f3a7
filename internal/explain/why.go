package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// maxEpisodesInWords bounds the paragraph: people ask about the newest ones.
const maxEpisodesInWords = 3

// why answers in one paragraph why these notices came and no others.
func why(rep *Report, r *replay) string {
	var say []string
	if n := len(rep.Differences); n > 0 {
		say = append(say, fmt.Sprintf("BEWARE: in %s the log of decisions is not what the stored observations give; what follows is by the log.", count(n, "place")))
	}
	var opened []Episode
	for _, ep := range rep.Episodes {
		if ep.Opens+ep.Reminders+ep.Resolves > 0 || len(ep.entries(rep, incident.SilenceEnded)) > 0 {
			opened = append(opened, ep)
		}
	}
	if r.expiredDecisions > 0 {
		say = append(say, unloggedWords(rep)...)
	}
	if len(opened) == 0 && r.nothingLogged() {
		return strings.Join(append(say, "No decision on it is stored any more, so why anybody was told, or nobody, is not known."), " ")
	}
	if len(opened) == 0 {
		return strings.Join(append(say, nobodyToldWords(rep)...), " ")
	}
	if n := len(opened) - maxEpisodesInWords; n > 0 {
		opens, reminders, resolves := 0, 0, 0
		for _, ep := range opened[:n] {
			opens, reminders, resolves = opens+ep.Opens, reminders+ep.Reminders, resolves+ep.Resolves
		}
		say = append(say, fmt.Sprintf("The %d earlier episodes were told with %s, %s and %s.", n,
			count(opens, "open"), count(reminders, "reminder"), count(resolves, "resolve")))
		opened = opened[n:]
	}
	for _, ep := range opened {
		say = append(say, ep.words(rep, r)...)
	}
	return strings.Join(say, " ")
}

// unlogged tells the messages of episodes whose decisions have expired.
func unloggedWords(rep *Report) []string {
	var episodes []Episode
	for _, d := range rep.Deliveries {
		ep := Episode{Number: d.Episode}
		if !slices.ContainsFunc(rep.Timeline, func(e Entry) bool { return e.What == Decision && e.Episode == ep.Number }) &&
			!slices.ContainsFunc(episodes, func(e Episode) bool { return e.Number == ep.Number }) {
			episodes = append(episodes, ep)
		}
	}
	var say []string
	for _, ep := range episodes[max(0, len(episodes)-maxEpisodesInWords):] {
		say = append(say, fmt.Sprintf("The decisions on episode %d have expired; its messages are stored.", ep.Number))
		say = append(say, ep.messageWords(rep)...)
	}
	return say
}

func nobodyToldWords(rep *Report) []string {
	if len(rep.Deliveries) > 0 && len(rep.Timeline) == 0 {
		return []string{"These messages are all that is left: what was seen and decided was removed, as a smoke test does after itself, or has expired."}
	}
	say := []string{"Nobody was told, because nothing opened here."}
	for _, ep := range rep.Episodes {
		before, after := ep.silentWords()
		say = append(say, slices.Concat(before, after)...)
	}
	return say
}

// words tells one episode in the order in which it went.
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

// afterOpened joins the words of a reason to a sentence that has the verb. When
// the first reminder was due is of no interest any more.
func afterOpened(words string) string {
	for _, after := range []string{"; next reminder", "; no reminders"} {
		words, _, _ = strings.Cut(words, after)
	}
	return strings.TrimPrefix(words, "opened ")
}

func (ep Episode) entries(rep *Report, actions ...incident.Action) []Entry {
	var out []Entry
	for _, e := range rep.Timeline {
		if e.What == Decision && e.Episode == ep.Number && slices.Contains(actions, e.Action) {
			out = append(out, e)
		}
	}
	return out
}

// silence explains the polls that told nobody, in the order of time: those that
// belong before the reminders, and those of the recovery.
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

// messages tells how the messages went that needed more than one attempt, or
// never arrived.
func (ep Episode) messageWords(rep *Report) []string {
	var say []string
	smooth := 0
	for _, d := range rep.Deliveries {
		switch {
		case d.Episode != ep.Number || d.SilencedBy != "":
		case d.State == "delivered" && len(d.Attempts) == 1 && d.For == "" && d.receiptText() == "":
			smooth++
		default:
			say = append(say, d.words())
		}
	}
	if smooth > 0 {
		say = append([]string{count(smooth, "message") + " arrived at the first attempt."}, say...)
	}
	return say
}

// words tells one delivery's attempts apart.
func (d Delivery) words() string {
	var b strings.Builder
	action := string(d.Action)
	if d.Action == incident.Remind {
		action = "reminder"
	}
	if d.In != nil {
		fmt.Fprintf(&b, "The %s to %s (%s) was %s", action, d.Destination, d.ID, d.In.words())
	} else {
		fmt.Fprintf(&b, "The %s to %s (%s) is %s", action, d.Destination, d.ID, d.State)
	}
	if d.For != "" {
		b.WriteString(", " + d.fallbackText())
	}
	if d.Note != "" && d.In == nil {
		b.WriteString(" (" + d.Note + ")")
	}
	for i, a := range d.allAttempts() {
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(&b, "%sattempt %d at %s %s", sep, a.Number, a.Started.UTC().Format("15:04:05"), a.outcome())
	}
	if doubt := d.doubtText(); doubt != "" {
		b.WriteString("; so " + doubt)
	} else if len(d.Attempts) > 1 && d.reach() == wasReached {
		b.WriteString("; so it arrived once")
	}
	b.WriteString(d.receiptText())
	return b.String() + "."
}

func (a Attempt) outcome() string {
	answer := strings.TrimSpace(strings.TrimPrefix(fmt.Sprintf("%d %s", a.Status, a.Code), "0"))
	if answer == "" {
		return "was " + words(a.Class)
	}
	if a.Class == "accepted" {
		return "was accepted (" + answer + ")"
	}
	return fmt.Sprintf("failed as %s (%s)", words(a.Class), answer)
}

func words(class string) string { return strings.ReplaceAll(class, "_", " ") }

func list(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// near is a period within one day as clock times, else with its dates.
func period(from, to time.Time) string {
	from, to = from.UTC(), to.UTC()
	switch {
	case from.Equal(to):
		return from.Format("15:04 UTC")
	case from.Format(time.DateOnly) == to.Format(time.DateOnly):
		return from.Format("15:04") + "–" + to.Format("15:04 UTC")
	default:
		return from.Format("2006-01-02 15:04") + " – " + to.Format("2006-01-02 15:04 UTC")
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
