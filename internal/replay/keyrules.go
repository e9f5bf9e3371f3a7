package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
)

const (
	// minGrowth is how many values a part must have before its growth is judged.
	minGrowth = 20
	// growthShare: a part grows if at least this share of its values came in the
	// second half, and at least this share was short-lived.
	growthShare = 0.3
)

// judgePart reports problems with the values of one part.
func (b *keyBook) judgePart(p PartReport, limits KeyLimits) []Finding {
	var out []Finding
	find := func(breach bool, rule, text string, args ...any) {
		out = append(out, Finding{Breach: breach, Rule: rule, Kind: p.Kind, Part: p.Part, Text: fmt.Sprintf(text, args...)})
	}
	if n := p.Volatile["{time}"]; n >= 2 {
		find(true, "time_in_key", "%d values hold a time, such as %q. A time identifies no incident: take it out, or give the part type text.",
			n, p.exampleOf(b, "{time}"))
	}
	if p.Distinct > limits.MaxValues || b.parts[partID{p.Kind, p.Part}].lost > 0 {
		find(true, "too_many_values", "%s different values, the limit is %s.", atLeast(p.Distinct), thousands(int64(limits.MaxValues)))
	}
	if !p.grows() {
		return out
	}
	if shape := p.requestShape(); shape != "" {
		find(true, "identifies_requests", "new values keep coming (%d of %d in the second half) and are soon gone; most look like %s, such as %q. It identifies requests, not incidents: leave the part out, or give it type text.",
			p.Late, p.Distinct, shape, p.exampleOf(b, shape))
		return out
	}
	if rate, days := b.newPerDay(p); rate > float64(limits.MaxNewPerDay) {
		find(true, "grows", "%.0f new values a day over the last %s, the limit is %d.", rate, short(days), limits.MaxNewPerDay)
		return out
	}
	find(false, "grows", "new values keep coming (%d of %d in the second half) and are soon gone. If each is a fault of its own, all is well; if each is a request, leave the part out.",
		p.Late, p.Distinct)
	return out
}

func (p PartReport) grows() bool {
	least := growthShare * float64(p.Distinct)
	return p.Distinct >= minGrowth && float64(p.Late) >= least && float64(p.Brief) >= least
}

// requestShape returns the volatile shape, if any, that at least half of the values
// have. A plain number counts only if nearly every observation brought a new one,
// since vendors number their groups too.
func (p PartReport) requestShape() string {
	for _, shape := range []string{"{uuid}", "{hex}", "{id}", "{time}", "{ip}", "{email}"} {
		if 2*p.Volatile[shape] >= p.Distinct {
			return shape
		}
	}
	if 2*p.Volatile["{n}"] >= p.Distinct && 2*int64(p.Distinct) >= p.Seen {
		return "{n}"
	}
	return ""
}

// newPerDay returns how many values of the part appeared per day of the second half.
func (b *keyBook) newPerDay(p PartReport) (float64, time.Duration) {
	half := b.last.Sub(b.first) / 2
	if half <= 0 {
		return 0, 0
	}
	return float64(p.Late) / half.Hours() * 24, half
}

// exampleOf returns the first value of the part that has the shape.
func (p PartReport) exampleOf(b *keyBook, shape string) string {
	for _, value := range slices.Sorted(maps.Keys(b.parts[partID{p.Kind, p.Part}].values)) {
		if slices.Contains(shapesIn(value), shape) {
			return value
		}
	}
	return ""
}

// judgeKeys reports keys that cover unrelated things, and too many keys.
func (b *keyBook) judgeKeys(limits KeyLimits) []Finding {
	var out []Finding
	if len(b.keys) > limits.MaxKeys || b.lostKeys > 0 {
		out = append(out, Finding{
			Breach: true, Rule: "too_many_keys", Key: "all keys",
			Text: fmt.Sprintf("%s different keys, the limit is %s.", atLeast(len(b.keys)), thousands(int64(limits.MaxKeys))),
		})
	}
	for _, key := range slices.Sorted(maps.Keys(b.keys)) {
		k := b.keys[key]
		warn := func(rule, text string, args ...any) {
			out = append(out, Finding{Rule: rule, Kind: k.kind, Key: key, Text: fmt.Sprintf(text, args...)})
		}
		if n := len(k.owners); n > 1 {
			warn("several_owners", "lumps %d owners together (%s): the newest failing one is told and charged. Add a part that tells them apart.", n, some(k.owners))
		}
		if n := len(k.stages); n > 1 {
			warn("several_stages", "lumps %d stages together (%s): one of them recovering is no recovery. Add the stage as a part.", n, some(k.stages))
		}
		if n := len(k.groups); n > limits.MaxGroups {
			warn("several_groups", "lumps at least %d of the vendor's groups together (%s): all of them are one incident.", n, some(k.groups))
		}
		if k.thin() {
			warn("one_part", "is told apart by %s alone: unrelated faults and stages of it are one incident. Add what makes two of them different; if it can fail in one way only, all is well.", quoted(k.parts[0].Name))
		}
	}
	return out
}

// thin reports whether a key has a single part that is a name rather than an
// identifier. A source's own reachability has such a key by design. What
// distinguishes a vendor's own items is an identifier, unless it is a mere word,
// which people give to many things.
func (k *keyFacts) thin() bool {
	if len(k.parts) != 1 || k.parts[0].Name == "source" {
		return false
	}
	value := k.parts[0].Value
	vendors := slices.Equal(k.groups, []string{value})
	word := !strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) })
	return !strings.ContainsAny(value, "0123456789") && (word || !vendors)
}

func some(list []string) string {
	sorted := slices.Sorted(slices.Values(list))
	if len(sorted) > 3 {
		return strings.Join(sorted[:3], ", ") + ", …"
	}
	return strings.Join(sorted, ", ")
}

func atLeast(n int) string {
	if n >= maxKept {
		return "more than " + thousands(maxKept)
	}
	return thousands(int64(n))
}
