package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

// subject is one source whose policy is asked for, and the id it reports under: its
// own, or that of its reachability.
type subject struct {
	source   config.Source
	speaksAs string
}

func (s subject) aboutItself() bool { return s.speaksAs != s.source.ID }

// subjectsOf finds the sources that the id of a source or an incident key means.
func subjectsOf(cfg *config.Config, what string) ([]subject, error) {
	if src, ok := cfg.Source(what); ok {
		return []subject{{src, src.ID}}, nil
	}
	kind, parts, err := incident.SplitKey(what)
	if err != nil {
		return nil, fmt.Errorf("there is no source %q, and it is no incident key, which looks like k1/error/issue=1%s; the sources are %s",
			what, suggestion(what, sourceIDs(cfg)), strings.Join(sourceIDs(cfg), ", "))
	}
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.Name
	}
	var found []subject
	for _, src := range cfg.Sources {
		if src.Kind == kind && partNames(src) == strings.Join(names, ", ") {
			found = append(found, subject{src, src.ID})
		}
	}
	if len(parts) == 1 && kind == incident.KindHeartbeat && names[0] == "source" {
		if src, ok := cfg.Source(parts[0].Value); ok {
			found = append(found, subject{src, config.ReachabilityID(src.ID)})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no source makes keys of kind %q from %s", kind, strings.Join(names, ", "))
	}
	return found, nil
}

func partNames(src config.Source) string {
	names := make([]string, len(src.Map.Key))
	for i, p := range src.Map.Key {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// settings returns those of the source. Reachability takes two of them from
// elsewhere.
func (s subject) settings(d config.Draft) []config.Setting {
	all, _ := d.Positions.Policy(s.source.ID)
	if !s.aboutItself() {
		return all
	}
	policy, _ := d.Config.PolicyFor(s.speaksAs)
	for i := range all {
		switch all[i].Name {
		case "failing_required":
			all[i] = config.Setting{Name: all[i].Name, Value: strconv.Itoa(policy.FailingRequired), Layer: "unreachable_after"}
		case "healthy_required":
			all[i] = config.Setting{Name: all[i].Name, Value: strconv.Itoa(policy.HealthyRequired), Layer: "the first good poll"}
		}
	}
	return all
}

func sourceIDs(cfg *config.Config) []string {
	ids := make([]string, len(cfg.Sources))
	for i, s := range cfg.Sources {
		ids[i] = s.ID
	}
	return ids
}
