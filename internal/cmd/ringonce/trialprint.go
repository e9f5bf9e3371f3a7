package main

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/poll"
	"github.com/ringonce/ringonce/internal/source"
)

func (t *trial) printRequest(w io.Writer) {
	of := "of its own"
	if t.src.Preset != "" {
		of = "preset " + t.src.Preset
	}
	fmt.Fprintf(w, "source   %s, %s, kind %s, absence means %s\n", t.src.ID, of, t.src.Kind, t.src.Absent)
	if len(t.exchanges) == 0 {
		return
	}
	e := t.exchanges[max(0, slices.IndexFunc(t.exchanges, func(e source.Exchange) bool { return !e.Discovery }))]
	fmt.Fprintf(w, "request  %s %s\n", e.Method, e.URL)
	for _, line := range e.Header {
		fmt.Fprintf(w, "         %s\n", line)
	}
	if e.Sent != "" {
		fmt.Fprintf(w, "         %s\n", e.Sent)
	}
}

func (t *trial) printPages(w io.Writer) {
	for i, e := range t.exchanges {
		fmt.Fprintf(w, "answer %d  ", i+1)
		if e.Discovery {
			fmt.Fprint(w, "discovery, ")
		}
		if i > 0 || e.Discovery {
			fmt.Fprintf(w, "%s: ", e.URL)
		}
		if e.Failure != "" {
			fmt.Fprintln(w, e.Failure)
			continue
		}
		fmt.Fprintf(w, "%d %s, %d bytes\n", e.Status, http.StatusText(e.Status), e.Bytes)
	}
}

func (t *trial) printListing(w io.Writer, l observation.Listing, now time.Time) {
	whole := "the whole answer was read"
	if !l.Complete {
		whole = "NOT the whole answer: nothing that is absent or healthy counts"
	}
	fmt.Fprintf(w, "items    %d; %s\n", len(l.Items), whole)
	for _, it := range l.Items {
		t.printItem(w, it)
	}
	canary := l.Canary
	if canary == "" {
		canary = "none configured: an empty answer would count as it is"
	}
	fmt.Fprintf(w, "canary   %s\n", canary)
	if l.Skew.Abs() >= time.Minute {
		fmt.Fprintf(w, "clock    the vendor's is off by %s\n", l.Skew)
	}
	if !l.NotBefore.IsZero() {
		fmt.Fprintf(w, "limit    the vendor wants to be left alone until %s\n", l.NotBefore.Format(time.RFC3339))
	}
	obs, problems := poll.Preview(t.src, observation.Tick(now, t.src.Interval), l)
	for _, p := range problems {
		fmt.Fprintf(w, "problem  %s\n", p)
	}
	fmt.Fprintf(w, "a poll would write %s; healthy and unknown keys are written only while they are open or on a streak\n", count(len(obs), "observation"))
	for _, o := range obs {
		fmt.Fprintf(w, "  %-8s %s%s\n", o.Verdict, o.IncidentKey, evidence(o.Evidence))
	}
}

// printItem prints the verdict of one item, and why.
func (t *trial) printItem(w io.Writer, it observation.Item) {
	key, err := incident.Key(it.Kind, it.Parts)
	if err != nil {
		key = "no key: " + err.Error()
	}
	why := "is not in map.verdicts, so unknown"
	if v, listed := t.src.Map.Verdicts[it.Status]; listed {
		why = "is " + v + " in map.verdicts"
	}
	fmt.Fprintf(w, "  %-8s %s\n           status %q %s; %s\n", it.Verdict, key, it.Status, why, it.Summary)
}

func evidence(e observation.Evidence) string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	if e.Count > 0 {
		add("count", fmt.Sprint(e.Count))
	}
	for _, at := range []struct {
		name string
		time time.Time
	}{{"first", e.FirstSeen}, {"last", e.LastSeen}} {
		if !at.time.IsZero() {
			add(at.name, at.time.Format(time.RFC3339))
		}
	}
	add("id", e.VendorID)
	add("stage", e.Stage)
	add("link", e.Link)
	if len(parts) == 0 {
		return ""
	}
	return "\n           " + strings.Join(slices.Compact(parts), ", ")
}
