package poll

import (
	"context"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// adopt assigns a key whose sources have all been removed to the configured source that
// reports keys of the same shape, if that source is new. A team that moves to another
// vendor thus keeps its incidents, including those that recover during the move. If no
// source or several sources match, or the match was already polled alongside the
// removed source without listing the key, the key stays unassigned and ends by its
// policy's stale_after.
func (ss *successors) adopt(ctx context.Context, k incident.Active) (incident.Active, error) {
	successor, ok := successorOf(ss.config, k)
	if !ok {
		return k, nil
	}
	isNew, err := ss.isNew(ctx, successor, k.Sources)
	if err != nil || !isNew {
		return k, err
	}
	k.Sources = append(slices.Clone(k.Sources), successor.ID)
	return k, nil
}

// successorOf returns the only source that could report a key whose sources have all
// been removed.
func successorOf(cfg *config.Config, k incident.Active) (successor config.Source, ok bool) {
	own := func(id string) bool { return strings.Contains(id, "/") } // of a source about itself
	if slices.ContainsFunc(k.Sources, cfg.HasSource) || slices.ContainsFunc(k.Sources, own) {
		return successor, false
	}
	for _, src := range cfg.Sources {
		if !sameShape(src, k.Key) {
			continue
		}
		if ok {
			return config.Source{}, false
		}
		successor, ok = src, true
	}
	return successor, ok
}

// sameShape reports whether a source makes keys of the given key's kind and parts.
func sameShape(src config.Source, key string) bool {
	kind, parts, err := incident.SplitKey(key)
	if err != nil || kind != src.Kind || len(parts) != len(src.Map.Key) {
		return false
	}
	for i, part := range parts {
		its := src.Map.Key[i]
		if fixed, ok := constantValue(its); part.Name != its.Name || (ok && part.Value != fixed) {
			return false
		}
	}
	return true
}

// constantValue returns the value of a key part that is the same in all keys of a
// source, such as the name of one Prometheus of several. It returns false for text
// parts, which are normalised, and for programs with escapes, which may interpolate.
func constantValue(part config.KeyPart) (string, bool) {
	program := strings.TrimSpace(part.Value)
	if part.Type != config.KeyPartID || len(program) < 2 || program[0] != '"' || program[len(program)-1] != '"' {
		return "", false
	}
	text := program[1 : len(program)-1]
	return text, !strings.ContainsAny(text, `"\`)
}
