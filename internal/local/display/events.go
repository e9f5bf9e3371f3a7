package display

import (
	"fmt"
	"strings"
	"time"
)

func (d *Display) poll(l line) string {
	if l.Outcome == "already_claimed" {
		return d.style.Dim(fmt.Sprintf("  poll      %-22s %s was polled already", l.Source, clock(l.Tick)))
	}
	text := fmt.Sprintf("  poll      %-22s %s %s: %d failing, %d healthy, %d unknown (%d requests",
		l.Source, clock(l.Tick), l.Outcome, l.Failing, l.Healthy, l.Unknown, l.Requests)
	if l.Retries > 0 {
		text += fmt.Sprintf(", %d retried, waited %v", l.Retries, time.Duration(l.WaitedMS)*time.Millisecond)
	}
	text += ")"
	if l.Outcome == "ok" {
		return text
	}
	for _, p := range l.Problems {
		text += "\n            " + p
	}
	return d.style.Warn(text)
}

func (d *Display) observation(l line) string {
	if !l.New {
		return ""
	}
	verdict := l.Verdict
	if l.Missing {
		verdict += ", no longer reported"
	}
	return fmt.Sprintf("  observe   %-22s %s  %s", l.Source, d.style.Verdict(l.Verdict, verdict), d.name(l.IncidentKey))
}

func (d *Display) decision(l line) string {
	action := strings.ToUpper(l.Action)
	if l.Action == "none" {
		return d.style.Dim(fmt.Sprintf("  decide    %-22s none, %s", d.name(l.IncidentKey), l.Reason))
	}
	return fmt.Sprintf("  decide    %-22s %s, %s", d.name(l.IncidentKey), d.style.Action(l.Action, action), l.Reason)
}

func (d *Display) delivery(l line) string {
	if l.State == "not_claimable" || l.State == "already_written" || l.State == "done" {
		return ""
	}
	text := fmt.Sprintf("  deliver   %-22s %s ", l.Destination, l.Action) + d.became(l)
	if name := d.name(l.IncidentKey); name != "" {
		text += "  " + name
	}
	switch l.State {
	case "delivered":
		return d.style.Good(text)
	case "gated", "waits_for_earlier":
		return d.style.Dim(text)
	default:
		return d.style.Warn(text)
	}
}

// became describes the outcome of a delivery.
func (d *Display) became(l line) string {
	switch l.State {
	case "delivered":
		return fmt.Sprintf("delivered, attempt %d", l.Attempt)
	case "gated", "waits_for_earlier":
		return "put back: " + strings.ReplaceAll(l.State, "_", " ")
	}
	text := l.State
	if l.Attempt > 0 {
		text += fmt.Sprintf(", attempt %d", l.Attempt)
	}
	if l.Code != "" {
		text += " (" + strings.TrimPrefix(fmt.Sprintf("%v %s", l.Status, l.Code), "0 ") + ")"
	}
	if l.Note != "" {
		text += ": " + l.Note
	}
	return text
}

// clock shortens a tick to its time of day.
func clock(tick string) string {
	t, err := time.Parse(time.RFC3339, tick)
	if err != nil {
		return tick
	}
	return t.Format("15:04")
}
