package poll

import (
	"context"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// adopt gives a key that no configured source speaks for any more to the one
// that reports keys of its shape, if that one is new: a team that moves to another
// vendor keeps its incidents, and one that recovered during the move ends there
// too. Where several sources could be meant, or none, or one that was polled
// beside the removed one and never named the key, it stays nobody's, and its
// policy's stale_after ends it.
func (h *heirs) adopt(ctx context.Context, k incident.Active) (incident.Active, error) {
	heir, ok := heirOf(h.config, k)
	if !ok {
		return k, nil
	}
	isNew, err := h.isNew(ctx, heir, k.Sources)
	if err != nil || !isNew {
		return k, err
	}
	k.Sources = append(slices.Clone(k.Sources), heir.ID)
	return k, nil
}

// heirOf is the one source that could report a key that no configured one speaks for.
func heirOf(cfg *config.Config, k incident.Active) (heir config.Source, ok bool) {
	own := func(id string) bool { return strings.Contains(id, "/") } // of a source about itself
	if slices.ContainsFunc(k.Sources, cfg.HasSource) || slices.ContainsFunc(k.Sources, own) {
		return heir, false
	}
	for _, src := range cfg.Sources {
		if !shaped(src, k.Key) {
			continue
		}
		if ok {
			return config.Source{}, false
		}
		heir, ok = src, true
	}
	return heir, ok
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
	if part.Type != config.KeyPartID || len(program) < 2 || program[0] != '"' || program[len(program)-1] != '"' {
		return "", false
	}
	text := program[1 : len(program)-1]
	return text, !strings.ContainsAny(text, `"\`)
}
