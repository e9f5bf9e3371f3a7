package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ringonce/ringonce/internal/config"
)

// explainPolicy prints the policy of a source, or of each source that can report on
// an incident key, and where each of its values was set.
func explainPolicy(cmd command, c call, d config.Draft, what string) int {
	subjects, err := subjectsOf(d.Config, what)
	if err != nil {
		return c.misuse(cmd, err.Error())
	}
	for i, s := range subjects {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		introduce(c.stdout, d.Config, s)
		if err := table(c.stdout, s.settings(d)); err != nil {
			return exitProblems
		}
		policy, _ := d.Config.PolicyFor(s.speaksAs)
		fmt.Fprintf(c.stdout, "\npolicy %s\n", policy.Hash())
	}
	fmt.Fprintf(c.stdout, "configuration %s\n", d.Config.Hash)
	return exitOK
}

func table(out io.Writer, settings []config.Setting) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\nsetting\tvalue\tdecided by\tinstead of\n")
	for _, s := range settings {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Value, layer(s), overridden(s.Over))
	}
	return w.Flush()
}

func introduce(w io.Writer, cfg *config.Config, s subject) {
	src, owner := s.source, cfg.Owners[s.source.Owner]
	fmt.Fprintf(w, "source       %s, polled every %s\n", src.ID, config.FormatDuration(src.Interval))
	if s.aboutItself() {
		fmt.Fprintln(w, "speaks for   itself: whether it can be read")
	} else {
		fmt.Fprintf(w, "speaks for   kind %s, told apart by %s\n", src.Kind, partNames(src))
	}
	fmt.Fprintf(w, "owner        %s, cost center %s\n", owner.ID, owner.CostCenter)
	fmt.Fprintf(w, "tells        %s\n", strings.Join(owner.Destinations, ", "))
	fmt.Fprintf(w, "asks for     %s\n", cfg.OperatorActionFor(s.speaksAs))
	unreachable := "never"
	if src.UnreachableAfter > 0 {
		unreachable = "after " + strconv.Itoa(src.UnreachableAfter) + " failed polls in a row"
	}
	fmt.Fprintf(w, "unreachable  %s\n", unreachable)
}

func layer(s config.Setting) string {
	switch {
	case s.Layer == config.LayerDefault:
		return "built-in default"
	case s.Place == (config.Place{}):
		return string(s.Layer)
	default:
		return fmt.Sprintf("%s, %s", s.Layer, s.Place)
	}
}

// overridden lists the weaker values that a setting overrides, strongest first.
func overridden(over []config.Setting) string {
	values := make([]string, len(over))
	for i, s := range over {
		values[i] = fmt.Sprintf("%s (%s)", s.Value, s.Layer)
	}
	return strings.Join(values, ", ")
}
