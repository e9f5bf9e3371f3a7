package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ringonce/ringonce/internal/config"
)

// explain prints a source's policy and what decided each of its values.
func explain(cmd command, c call, d config.Draft, id string) int {
	settings, ok := d.Positions.Policy(id)
	src, found := d.Config.Source(id)
	if !ok || !found {
		return c.misuse(cmd, fmt.Sprintf("there is no source %q; the sources are %s", id, strings.Join(sourceIDs(d.Config), ", ")))
	}
	introduce(c.stdout, d.Config, src)
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\nsetting\tvalue\tdecided by\tinstead of\n")
	for _, s := range settings {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Value, layer(s), instead(s.Over))
	}
	if err := w.Flush(); err != nil {
		return exitProblems
	}
	fmt.Fprintf(c.stdout, "\npolicy %s\nconfiguration %s\n", src.Policy.Hash(), d.Config.Hash)
	return exitOK
}

func introduce(w io.Writer, cfg *config.Config, src config.Source) {
	owner := cfg.Owners[src.Owner]
	fmt.Fprintf(w, "source       %s, polled every %s\n", src.ID, config.FormatDuration(src.Interval))
	fmt.Fprintf(w, "owner        %s, cost center %s\n", owner.ID, owner.CostCenter)
	fmt.Fprintf(w, "tells        %s\n", strings.Join(owner.Destinations, ", "))
	fmt.Fprintf(w, "asks for     %s\n", src.OperatorAction)
	unreachable := "never"
	if src.UnreachableAfter > 0 {
		unreachable = "after " + strconv.Itoa(src.UnreachableAfter) + " failed polls in a row"
	}
	fmt.Fprintf(w, "unreachable  %s\n", unreachable)
}

func layer(s config.Setting) string {
	if s.Layer == config.LayerDefault {
		return "built-in default"
	}
	return fmt.Sprintf("%s, %s", s.Layer, s.Place)
}

// instead lists the weaker values that a setting wins over, strongest first.
func instead(over []config.Setting) string {
	values := make([]string, len(over))
	for i, s := range over {
		values[i] = fmt.Sprintf("%s (%s)", s.Value, s.Layer)
	}
	return strings.Join(values, ", ")
}

func sourceIDs(cfg *config.Config) []string {
	ids := make([]string, len(cfg.Sources))
	for i, s := range cfg.Sources {
		ids[i] = s.ID
	}
	return ids
}
