package live

import (
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
)

// unset returns the variables that hold secrets and that the environment, in which
// the last of several entries counts, lacks.
func unset(cfg *config.Config, environ []string) []string {
	set := map[string]bool{}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		set[name] = value != ""
	}
	var missing []string
	for _, ref := range append(cfg.SourceSecrets(), cfg.DestinationSecrets()...) {
		if name, ok := strings.CutPrefix(ref, "env:"); ok && !set[name] {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}
