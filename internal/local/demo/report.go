package demo

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/local/story"
)

// report prints the incidents, the deliveries as they are charged, and the expected
// against the arrived messages. It reports whether those are the same.
func (s *show) report(ctx context.Context) (bool, error) {
	if err := s.incidents(ctx); err != nil {
		return false, err
	}
	if err := s.charges(ctx); err != nil {
		return false, err
	}
	return s.compare(ctx)
}

func (s *show) incidents(ctx context.Context) error {
	s.display.Say("\n%s", s.style.Bold("Incidents"))
	return s.table("incident\tstate\tepisodes\topened\tresolved\tincident key", func(row func(string, ...any)) error {
		return s.store.Incidents(ctx, func(st incident.State) error {
			state := "resolved"
			switch {
			case st.Open:
				state = "open"
			case st.Episode == 0:
				// A streak that ended before it opened an incident.
				return nil
			}
			row("%s\t%s\t%d\t%s\t%s\t%s", st.Title, state, st.Episode, clock(st.OpenedAt), clock(st.ResolvedAt), st.Key)
			return nil
		})
	})
}

func (s *show) charges(ctx context.Context) error {
	now := time.Now().UTC()
	all, err := s.store.Usage(ctx, now.Add(-24*time.Hour), now)
	if err != nil {
		return err
	}
	s.display.Say("\n%s", s.style.Bold("Deliveries, as they are charged"))
	return s.table("owner\tcost center\tchannel\tsource\tattempted\tdelivered", func(row func(string, ...any)) error {
		for _, u := range all {
			row("%s\t%s\t%s\t%s\t%d\t%d", u.Owner, u.CostCenter, u.Channel, u.Source, u.Attempted, u.Delivered)
		}
		return nil
	})
}

func (s *show) compare(ctx context.Context) (bool, error) {
	var ledger []delivery.Delivery
	err := s.store.Deliveries(ctx, func(d delivery.Delivery) error {
		ledger = append(ledger, d)
		return nil
	})
	if err != nil {
		return false, err
	}
	rows := story.Compare(s.opts.Steps, ledger, s.scene.arrived())
	s.display.Say("\n%s", s.style.Bold("Expected against actual"))
	ok, want, got := true, 0, 0
	err = s.table("message\tabout\tdestination\texpected\tarrived\t", func(row func(string, ...any)) error {
		for _, r := range rows {
			mark := s.style.Good("ok")
			if !r.OK() {
				ok, mark = false, s.style.Bad("WRONG")
			}
			want, got = want+r.Want, got+r.Got
			row("%s\t%s\t%s\t%d\t%d\t%s", r.Action, r.Thing, r.Destination, r.Want, r.Got, mark)
		}
		return nil
	})
	verdict := s.style.Good("Every expected message arrived exactly once, and no other did.")
	if !ok {
		verdict = s.style.Bad("The messages that arrived are not the ones expected.")
	}
	s.display.Say("\n%d messages expected, %d arrived. %s", want, got, verdict)
	return ok, err
}

// table prints aligned rows under a heading.
func (s *show) table(heading string, fill func(row func(string, ...any)) error) error {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  "+heading)
	if err := fill(func(format string, args ...any) { fmt.Fprintf(w, "  "+format+"\n", args...) }); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	s.display.Say("%s", strings.TrimRight(text.String(), "\n"))
	return nil
}

func clock(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format("15:04")
}
