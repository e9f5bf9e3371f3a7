package explain

import (
	"fmt"
	"strings"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

// messageWords counts the messages that arrived at the first attempt and tells the
// others one by one.
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

// words tells what became of a message, attempt by attempt.
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

// outcome says how an attempt ended, to follow its time.
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

// receiptText says what the provider reported after it had accepted a message, if that
// was bad.
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
