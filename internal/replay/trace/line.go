package trace

import (
	"errors"
	"fmt"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// maxRepeat bounds the rows of one line: two years of minutes.
const maxRepeat = 1_100_000

// line is one line of a trace as texts, from either format.
type line struct {
	// Tick is RFC 3339.
	Tick string `json:"tick"`
	// Key is the incident key; it may be omitted if Kind and Parts are given, from
	// which it is then built.
	Key     string `json:"key,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Truth   string `json:"truth,omitempty"`
	Owner   string `json:"owner,omitempty"`
	Source  string `json:"source,omitempty"`
	// Missing marks a healthy verdict that stands for absence, Unseen one for an item
	// that is listed but was not seen to fail lately.
	Missing bool   `json:"missing,omitempty"`
	Unseen  bool   `json:"unseen,omitempty"`
	Status  string `json:"status,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Parts   []part `json:"parts,omitempty"`
	Stage   string `json:"stage,omitempty"`
	// Group is the vendor's own id of the group, monitor or alert.
	Group   string `json:"group,omitempty"`
	Summary string `json:"summary,omitempty"`
	// Said, instead of a verdict, is a decision without an observation: ack, unack or
	// silence_ended; By is the person or the silence.
	Said string `json:"said,omitempty"`
	By   string `json:"by,omitempty"`
	// Repeat is how many ticks in all have this content, spaced by Every.
	Repeat int    `json:"repeat,omitempty"`
	Every  string `json:"every,omitempty"`
}

type part struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// block is a decoded line: its first row, and how often it is repeated.
type block struct {
	row    Row
	repeat int
	every  time.Duration
}

// row returns the n-th row, from 0.
func (b block) at(n int) Row {
	r := b.row
	r.Tick = r.Tick.Add(time.Duration(n) * b.every)
	return r
}

func (l *line) block() (block, error) {
	tick, err := time.Parse(time.RFC3339, l.Tick)
	if err != nil {
		return block{}, fmt.Errorf("tick %q: want RFC 3339, such as 2026-01-02T15:04:00Z", l.Tick)
	}
	verdict, err := l.verdict()
	if err != nil {
		return block{}, err
	}
	b := block{row: Row{Said: incident.Action(l.Said), By: l.By, Observation: observation.Observation{
		IncidentKey: l.Key, Kind: l.Kind, Source: l.Source, Tick: tick.UTC(), Verdict: verdict,
		Missing: l.Missing, Unseen: l.Unseen, Status: l.Status, Owner: l.Owner, Summary: l.Summary,
		Evidence: observation.Evidence{Stage: l.Stage, VendorID: l.Group},
	}}}
	for _, p := range l.Parts {
		b.row.Parts = append(b.row.Parts, observation.Part(p))
	}
	return b, errors.Join(l.setKey(&b), l.setTruth(&b), l.setRepeat(&b))
}

// verdict returns the observed verdict: none in a line with a decision.
func (l *line) verdict() (observation.Verdict, error) {
	switch incident.Action(l.Said) {
	case "":
		return observation.ParseVerdict(l.Verdict)
	case incident.Ack, incident.Unack, incident.SilenceEnded:
		if l.Verdict != "" {
			return "", fmt.Errorf("said %q: has a verdict, too; make two lines of it", l.Said)
		}
		return observation.Unknown, nil
	default:
		return "", fmt.Errorf("said %q: want ack, unack or silence_ended", l.Said)
	}
}

func (l *line) setKey(b *block) error {
	if l.Key != "" {
		return nil
	}
	if len(l.Parts) == 0 {
		return errors.New("the key is empty: give key, or kind and parts")
	}
	var err error
	b.row.IncidentKey, err = incident.Key(l.Kind, b.row.Parts)
	return err
}

func (l *line) setTruth(b *block) error {
	switch v := observation.Verdict(l.Truth); v {
	case "", observation.Failing, observation.Healthy:
		b.row.Truth = v
		return nil
	default:
		return fmt.Errorf("truth %q: want failing, healthy, or nothing where it is not known", l.Truth)
	}
}

func (l *line) setRepeat(b *block) error {
	b.repeat = 1
	if l.Repeat == 0 && l.Every == "" {
		return nil
	}
	if l.Repeat < 1 || l.Repeat > maxRepeat {
		return fmt.Errorf("repeat %d: want 1 to %d, the number of ticks in all", l.Repeat, maxRepeat)
	}
	every, err := time.ParseDuration(l.Every)
	if err != nil || every <= 0 {
		return fmt.Errorf("every %q: want the time between two repeated ticks, such as 1m", l.Every)
	}
	b.repeat, b.every = l.Repeat, every
	return nil
}
