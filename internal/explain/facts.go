package explain

import (
	"fmt"

	"github.com/ringonce/ringonce/internal/notice"
)

// Fact is one labelled value of a report.
type Fact struct{ Label, Value string }

// facts returns the known parts of the identity.
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

// nonEmpty drops the facts without a value and puts each value on one line.
func nonEmpty(all []Fact) []Fact {
	kept := all[:0]
	for _, f := range all {
		if f.Value = notice.OneLine(f.Value); f.Value != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

// askedFor says by what the incident was found and how much of it is shown.
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

// policyText summarises the policy.
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

// standing returns the incident's state in one line.
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
