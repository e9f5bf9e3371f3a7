package replay

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/replay/trace"
)

// KeyLimits are limits for keys.
type KeyLimits struct {
	// MaxKeys and MaxValues bound the distinct keys, and the distinct values of
	// any one part.
	MaxKeys, MaxValues int
	// MaxNewPerDay bounds how many new values a part may have in a day, after the
	// first half of the record has shown the usual ones.
	MaxNewPerDay int
	// MaxGroups is how many of a vendor's groups one key may cover.
	MaxGroups int
	// Examples is how many values of each part a report shows.
	Examples int
}

// DefaultKeyLimits suit a source whose keys are services and error groups.
func DefaultKeyLimits() KeyLimits {
	return KeyLimits{MaxKeys: 5000, MaxValues: 5000, MaxNewPerDay: 200, MaxGroups: 20, Examples: 3}
}

// KeyReport describes the recorded keys.
type KeyReport struct {
	Rows     int64        `json:"rows"`
	First    string       `json:"first,omitempty"`
	Last     string       `json:"last,omitempty"`
	Keys     int          `json:"keys"`
	Parts    []PartReport `json:"parts"`
	Findings []Finding    `json:"findings"`
}

// PartReport describes one part of one kind's keys.
type PartReport struct {
	Kind     string   `json:"kind"`
	Part     string   `json:"part"`
	Seen     int64    `json:"seen"`
	Distinct int      `json:"distinct"`
	Examples []string `json:"examples"`
	// Late is how many of the values appeared in the second half of the span;
	// Brief how many were seen for less than a twentieth of it.
	Late  int `json:"late"`
	Brief int `json:"brief"`
	// Volatile counts the values in which the normaliser would replace something, by
	// its placeholder: {uuid}, {time}, {n} and so on.
	Volatile map[string]int `json:"volatile,omitempty"`
}

// Finding is one thing to look at.
type Finding struct {
	// Breach distinguishes a finding that exceeds a limit from one that only warns.
	Breach bool   `json:"breach"`
	Rule   string `json:"rule"`
	Kind   string `json:"kind,omitempty"`
	Part   string `json:"part,omitempty"`
	Key    string `json:"key,omitempty"`
	// Text says what was seen and the remedy.
	Text string `json:"text"`
}

// Keys reads recorded observations and reports on their keys. Its memory is bounded:
// beyond fifty thousand keys it only counts.
func Keys(rows trace.Rows, limits KeyLimits) (*KeyReport, error) {
	b := newKeyBook()
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		b.add(row)
	}
	r := &KeyReport{Rows: b.rows, Keys: len(b.keys), Parts: []PartReport{}, Findings: []Finding{}}
	if b.rows > 0 {
		r.First, r.Last = b.first.Format(time.RFC3339), b.last.Format(time.RFC3339)
	}
	for _, id := range slices.SortedFunc(maps.Keys(b.parts), func(x, y partID) int {
		return cmp.Or(cmp.Compare(x.kind, y.kind), cmp.Compare(x.part, y.part))
	}) {
		p := b.report(id, limits)
		r.Parts = append(r.Parts, p)
		r.Findings = append(r.Findings, b.judgePart(p, limits)...)
	}
	r.Findings = append(r.Findings, b.judgeKeys(limits)...)
	return r, nil
}

// Breached reports whether any finding exceeds a limit.
func (r *KeyReport) Breached() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Breach })
}

func (b *keyBook) report(id partID, limits KeyLimits) PartReport {
	facts := b.parts[id]
	p := PartReport{Kind: id.kind, Part: id.part, Seen: facts.seen, Distinct: len(facts.values), Volatile: make(map[string]int)}
	span := b.last.Sub(b.first)
	for _, value := range slices.Sorted(maps.Keys(facts.values)) {
		v := facts.values[value]
		if v.first.Sub(b.first) > span/2 {
			p.Late++
		}
		if float64(v.last.Sub(v.first)) < shortLife*float64(span) {
			p.Brief++
		}
		if len(p.Examples) < limits.Examples {
			p.Examples = append(p.Examples, value)
		}
		for _, shape := range shapesIn(value) {
			p.Volatile[shape]++
		}
	}
	return p
}

func (f Finding) String() string {
	level := "warning"
	if f.Breach {
		level = "breach"
	}
	subject := f.Key
	if subject == "" {
		subject = strings.TrimSpace("part " + quoted(f.Part) + " of " + orUnnamed(f.Kind))
	}
	return fmt.Sprintf("%s [%s] %s: %s", level, f.Rule, subject, f.Text)
}

func quoted(part string) string {
	if part == "" {
		return "(the whole key)"
	}
	return part
}

func orUnnamed(kind string) string {
	if kind == "" {
		return "keys without a kind"
	}
	return "kind " + kind
}
