package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/silence"
)

const (
	// maxSilences and maxWindows bound the checks for each message.
	maxSilences = 100
	maxWindows  = 20
)

// silences reads the planned silences.
func (b *builder) silences(root *fields) {
	nodes := root.list("silences")
	if len(nodes) > maxSilences {
		root.fail("silences", fmt.Sprintf("more than %d silences", maxSilences), "use patterns that fit more, such as owner or source")
		return
	}
	for i, n := range nodes {
		f := b.r.fields(n, index("silences", i), n.at)
		s := b.silence(f)
		f.end()
		if _, twice := b.cfg.Silences.ByID(s.ID); twice && s.ID != "" {
			f.fail("id", show(s.ID)+" is the id of two silences", "give each its own: messages that are kept back name it")
		}
		b.cfg.Silences = append(b.cfg.Silences, s)
	}
}

func (b *builder) silence(f *fields) silence.Silence {
	s := silence.Silence{
		ID: f.requiredText("id", "name it, such as id: nightly-batch"), Planned: true,
		Reason: f.requiredText("reason", "say why, for those who wonder that nobody was told"),
		Author: f.requiredText("author", "say who wants it: a name or a login"),
		Match: silence.Match{
			Key: f.text("key"), Owner: b.known(f, "owner", sortedKeys(b.cfg.Owners)),
			Source: b.known(f, "source", b.sourceIDs()), Destination: b.known(f, "destination", b.cfg.Written()),
		},
		From: f.moment("from"), Until: f.moment("until"), Zone: f.text("time_zone"), Windows: f.windows(),
	}
	if s.ID != "" && !isID(s.ID) {
		f.fail("id", show(s.ID)+" is not a usable name", idFix)
	}
	f.signed(s)
	f.checkTimes(s)
	if s.Match.Empty() && !f.quiet {
		f.r.fail(f.at, f.path, "says nothing of what it keeps quiet", `give key, owner, source or destination; key: "*" is everything`)
	}
	return s
}

func (f *fields) signed(s silence.Silence) {
	if err := silence.CheckReason(s.Reason); err != nil && s.Reason != "" {
		f.fail("reason", "is not usable", err.Error())
	}
	if err := silence.CheckAuthor(s.Author); err != nil && s.Author != "" {
		f.fail("author", "is not usable", err.Error())
	}
}

// checkTimes requires an end, since people forget a silence without one.
func (f *fields) checkTimes(s silence.Silence) {
	weekly := f.node.find("windows") != nil
	switch {
	case !weekly && s.Until.IsZero():
		f.missing("until", "say when it ends, such as 2026-06-01T06:00:00Z, or give windows of the week")
	case !weekly && s.Zone != "":
		f.fail("time_zone", "is only for windows", "remove it, or give windows; from and until say their offset themselves")
	case weekly && s.Zone == "":
		f.missing("time_zone", "name the one whose clocks the windows go by, such as Europe/Berlin")
	}
	if !s.Until.IsZero() && !s.Until.After(s.From) {
		f.fail("until", "is not after from", "")
	}
	// A function that writes no times for people is built without the time zone
	// database.
	if _, err := silence.Zone(s.Zone); err != nil && s.Zone != "" && silence.ZonesKnown() {
		f.fail("time_zone", "there is no time zone "+show(s.Zone), "write an IANA name such as Europe/Berlin, or UTC")
	}
}

// known reads a pattern that must be one of the ids unless it has a *.
func (b *builder) known(f *fields, name string, ids []string) string {
	pattern := f.text(name)
	if pattern != "" && !strings.Contains(pattern, "*") && !slices.Contains(ids, pattern) {
		f.fail(name, "there is no "+name+" "+show(pattern), didYouMean(pattern, ids))
	}
	return pattern
}

func (b *builder) sourceIDs() []string {
	ids := make([]string, 0, len(b.cfg.Sources))
	for _, s := range b.cfg.Sources {
		ids = append(ids, s.ID)
	}
	return ids
}

// moment reads a time.
func (f *fields) moment(name string) time.Time {
	n := f.scalar(name)
	if n == nil {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, n.text)
	if err != nil {
		f.fail(name, show(n.text)+" is not a time", "write it with its offset, such as 2026-06-01T06:00:00+02:00")
	}
	return t.UTC()
}

func (f *fields) windows() []silence.Window {
	nodes := f.list("windows")
	if len(nodes) > maxWindows {
		f.fail("windows", fmt.Sprintf("more than %d windows", maxWindows), "make them longer, or use several silences")
		return nil
	}
	var all []silence.Window
	for i, n := range nodes {
		w := f.r.fields(n, index(join(f.path, "windows"), i), n.at)
		all = append(all, silence.Window{Days: w.days(), From: w.clock("from"), To: w.clock("to")})
		w.end()
	}
	if f.node.find("windows") != nil && len(all) == 0 {
		f.fail("windows", "lists none", `give at least one, such as {from: "22:00", to: "07:00"}`)
	}
	return all
}

func (f *fields) days() []time.Weekday {
	var days []time.Weekday
	for _, e := range f.texts("days") {
		d, err := silence.ParseDay(e.text)
		if err != nil {
			e.fail(show(e.text)+" is not a day", "write one of "+strings.Join(silence.Days, ", "))
			continue
		}
		days = append(days, d)
	}
	return days
}

func (f *fields) clock(name string) silence.Clock {
	text := f.requiredText(name, `write a time of day, such as "22:00"`)
	if text == "" {
		return 0
	}
	c, err := silence.ParseClock(text)
	if err != nil {
		f.fail(name, show(text)+" is not a time of day", `write it as "07:00" or "22:30", up to "24:00"`)
	}
	return c
}
