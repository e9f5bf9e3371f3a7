package config

// merge overlays a source on its preset: mappings are merged field by field, any
// other value of the source replaces the preset's, and a field that the source leaves
// empty (name: or name: null) removes the preset's.
func merge(base, over *node) *node {
	if base == nil || base.kind != mappingNode || over == nil || over.kind != mappingNode {
		return over
	}
	merged := *over
	merged.entries = make([]entry, 0, len(base.entries)+len(over.entries))
	for _, e := range base.entries {
		mine := over.find(e.key)
		switch {
		case mine == nil:
			merged.entries = append(merged.entries, e)
		case mine.kind != nullNode:
			merged.entries = append(merged.entries, entry{e.key, e.at, merge(e.value, mine)})
		}
	}
	for _, e := range over.entries {
		if base.find(e.key) == nil {
			merged.entries = append(merged.entries, e)
		}
	}
	return &merged
}
