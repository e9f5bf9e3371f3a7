package poll

import (
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// adopt gives a key that no configured source speaks for any more to the one
// that reports keys of its shape: a team that moves to another vendor keeps its
// incidents, and one that recovered during the move ends there too. Where
// several sources could be meant, or none, the key stays nobody's, and its
// policy's stale_after ends it.
func (p *Poller) adopt(k incident.Active) incident.Active {
	own := func(id string) bool { return strings.Contains(id, "/") } // of a source about itself
	if slices.ContainsFunc(k.Sources, p.Config.HasSource) || slices.ContainsFunc(k.Sources, own) {
		return k
	}
	heir := ""
	for _, src := range p.Config.Sources {
		if !shaped(src, k.Key) {
			continue
		}
		if heir != "" {
			return k
		}
		heir = src.ID
	}
	if heir != "" {
		k.Sources = append(slices.Clone(k.Sources), heir)
	}
	return k
}

// shaped tells whether a source makes keys of the same kind and parts as a key.
func shaped(src config.Source, key string) bool {
	kind, parts, err := incident.SplitKey(key)
	if err != nil || kind != src.Kind || len(parts) != len(src.Map.Key) {
		return false
	}
	for i, part := range parts {
		its := src.Map.Key[i]
		if fixed, ok := fixedText(its); part.Name != its.Name || (ok && part.Value != fixed) {
			return false
		}
	}
	return true
}

// fixedText is the value of a key part that is the same in all keys of a source,
// such as the name of one Prometheus of several: a key with another is none of its.
// A text part is normalised, and what has escapes is put together; neither is looked
// into.
func fixedText(part config.KeyPart) (string, bool) {
	program := strings.TrimSpace(part.Value)
	if part.Type != "id" || len(program) < 2 || program[0] != '"' || program[len(program)-1] != '"' {
		return "", false
	}
	text := program[1 : len(program)-1]
	return text, !strings.ContainsAny(text, `"\`)
}
