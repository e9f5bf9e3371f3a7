// Package display shows a person what the functions do, from the structured
// lines that they log: polls, observations, decisions and deliveries, as they
// happen.
package display

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
)

// Display writes one line per event. The logs of several functions may use it
// concurrently.
type Display struct {
	mu    sync.Mutex
	out   io.Writer
	style Style
	// names maps incident keys to the names that people use.
	names map[string]string
}

// New returns a display. Pass Plain unless out is a terminal.
func New(out io.Writer, style Style) *Display {
	return &Display{out: out, style: style, names: make(map[string]string)}
}

// line is the union of what the functions log.
type line struct {
	Level       string   `json:"level"`
	Msg         string   `json:"msg"`
	Source      string   `json:"source"`
	Tick        string   `json:"tick"`
	Outcome     string   `json:"outcome"`
	Requests    int      `json:"requests"`
	Retries     int      `json:"retries"`
	WaitedMS    int64    `json:"waited_ms"`
	Failing     int      `json:"failing"`
	Healthy     int      `json:"healthy"`
	Unknown     int      `json:"unknown"`
	Written     int      `json:"written"`
	Problems    []string `json:"problems"`
	IncidentKey string   `json:"incident_key"`
	Verdict     string   `json:"verdict"`
	Status      any      `json:"status"`
	Missing     bool     `json:"missing"`
	New         bool     `json:"new"`
	Summary     string   `json:"summary"`
	Action      string   `json:"action"`
	Reason      string   `json:"reason"`
	Destination string   `json:"destination"`
	State       string   `json:"state"`
	Attempt     int      `json:"attempt"`
	Code        string   `json:"code"`
	Note        string   `json:"note"`
	Silence     string   `json:"silence"`
	Error       any      `json:"error"`
}

// Line shows one line that a function logged. A line that is not JSON, or that does
// not concern a person, is shown only if it is a failure.
func (d *Display) Line(function, raw string) {
	var l line
	if err := json.Unmarshal([]byte(raw), &l); err != nil {
		if text := strings.TrimSpace(printable(raw)); text != "" {
			d.print(d.style.Bad(fmt.Sprintf("  %-9s %s", function, text)))
		}
		return
	}
	l.clean()
	d.mu.Lock()
	if l.Summary != "" && l.IncidentKey != "" {
		d.names[l.IncidentKey] = l.Summary
	}
	d.mu.Unlock()
	if text := d.describe(function, l); text != "" {
		d.print(text)
	}
}

// Say writes a line of the caller's own.
func (d *Display) Say(format string, args ...any) { d.print(fmt.Sprintf(format, args...)) }

func (d *Display) print(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	// A closed terminal is not the functions' problem.
	_, _ = fmt.Fprintln(d.out, text)
}

func (d *Display) describe(function string, l line) string {
	switch l.Msg {
	case "poll":
		return d.poll(l)
	case "observation":
		return d.observation(l)
	case "decision":
		return d.decision(l)
	case "delivery":
		return d.delivery(l)
	case "silenced":
		return d.style.Dim(fmt.Sprintf("  silenced  %-22s %s kept back by %s  %s", l.Destination, l.Action, l.Silence, d.name(l.IncidentKey)))
	default:
		if l.Level == "WARN" || l.Level == "ERROR" {
			return d.style.Bad(fmt.Sprintf("  %-9s %s%s", function, l.Msg, l.trouble()))
		}
		return ""
	}
}

// name returns a person's name for an incident: its summary, shortened, or its key.
func (d *Display) name(key string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := d.names[key]
	if name == "" {
		name = key
	}
	if runes := []rune(name); len(runes) > 48 {
		name = string(runes[:47]) + "…"
	}
	return name
}

// trouble returns a warning's details besides its message.
func (l line) trouble() string {
	var text string
	if l.Error != nil {
		text = ": " + printable(fmt.Sprint(l.Error))
	}
	if len(l.Problems) > 0 {
		text += ": " + strings.Join(l.Problems, "; ")
	}
	return text
}
