package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/silence"
)

// silenceStore is the part of the store that the commands need.
type silenceStore interface {
	explain.Store
	PutSilence(ctx context.Context, s silence.Silence) error
	EndSilence(ctx context.Context, id, by string, at time.Time) error
	Silences(ctx context.Context) (silence.Set, error)
}

// silences returns the planned and the stored silences, and reports those that cannot
// be read.
func (c call) silences(ctx context.Context, store silenceStore, cfg *config.Config) (silence.Set, error) {
	all, err := store.Silences(ctx)
	if unreadable := (silence.Unreadable{}); errors.As(err, &unreadable) {
		fmt.Fprintf(c.stderr, "ringonce: %v\n", unreadable)
		err = nil
	}
	if cfg != nil {
		all = slices.Concat(cfg.Silences, all)
	}
	return all, err
}

// explainer returns an explainer over the store, the configuration and all silences.
func (c call) explainer(ctx context.Context, store silenceStore, cfg *config.Config) (*explain.Explainer, error) {
	all, err := c.silences(ctx, store, cfg)
	return &explain.Explainer{Store: store, Config: cfg, Silences: all, Now: time.Now()}, err
}

func (c call) addSilence(ctx context.Context, store silenceStore, cfg *config.Config, s silence.Silence, asJSON bool, now time.Time) error {
	if err := checkNames(cfg, s.Match); err != nil {
		return err
	}
	if err := store.PutSilence(ctx, s); err != nil && !errors.Is(err, silence.ErrExists) {
		return err
	}
	if cfg == nil && (s.Match.Owner+s.Match.Source+s.Match.Destination) != "" {
		fmt.Fprintln(c.stderr, "Names were not checked: there is no configuration here; name it with --config.")
	}
	if asJSON {
		return writeJSON(c.stdout, shownOf(s, now))
	}
	fmt.Fprintf(c.stdout, "Silence %s keeps quiet %s, %s.\n", s.ID, s.Match, whenOf(s))
	x := explain.Explainer{Store: store, Config: cfg, Silences: silence.Set{s}}
	quiet, err := x.List(ctx, explain.Filter{Statuses: []string{explain.SilencedStatus}}, now)
	if _, holds := s.Holds(now); holds && err == nil {
		fmt.Fprintf(c.stdout, "It now does so for %s that %s open or failing.\n", count(len(quiet), "incident"), isAre(len(quiet)))
	}
	return err
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func (c call) endSilence(ctx context.Context, store silenceStore, cfg *config.Config, id, author string, now time.Time) error {
	if cfg != nil {
		if _, planned := cfg.Silences.ByID(id); planned {
			return fmt.Errorf("silence %s is in the configuration: take it out there and deploy", id)
		}
	}
	if err := store.EndSilence(ctx, id, author, now); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "Silence %s has ended. What it kept back of what still fails is told at the next sweep.\n", id)
	return nil
}

// shown is a silence in the form that is listed.
type shown struct {
	ID          string    `json:"silence"`
	State       string    `json:"state"`
	Key         string    `json:"key,omitempty"`
	Owner       string    `json:"owner,omitempty"`
	Source      string    `json:"source,omitempty"`
	Destination string    `json:"destination,omitempty"`
	From        time.Time `json:"from,omitzero"`
	Until       time.Time `json:"until,omitzero"`
	Windows     []string  `json:"windows,omitempty"`
	Zone        string    `json:"time_zone,omitempty"`
	// HoldsUntil is the end of the window that holds now.
	HoldsUntil time.Time `json:"holds_until,omitzero"`
	Reason     string    `json:"reason"`
	Author     string    `json:"author"`
	EndedAt    time.Time `json:"ended_at,omitzero"`
	EndedBy    string    `json:"ended_by,omitempty"`
	Planned    bool      `json:"planned"`
}

func shownOf(s silence.Silence, now time.Time) shown {
	until, holds := s.Holds(now)
	v := shown{
		ID: s.ID, State: "waits", Key: s.Match.Key, Owner: s.Match.Owner, Source: s.Match.Source, Destination: s.Match.Destination,
		From: s.From.UTC(), Until: s.Until.UTC(), Zone: s.Zone, HoldsUntil: until.UTC(), Reason: s.Reason, Author: s.Author,
		EndedAt: s.EndedAt.UTC(), EndedBy: s.EndedBy, Planned: s.Planned,
	}
	switch {
	case holds:
		v.State = "holds"
	case s.Over(now):
		v.State = "over"
	}
	for _, w := range s.Windows {
		v.Windows = append(v.Windows, w.String())
	}
	return v
}

func (c call) listSilences(ctx context.Context, store silenceStore, cfg *config.Config, all, asJSON bool, now time.Time) error {
	set, err := c.silences(ctx, store, cfg)
	if err != nil {
		return err
	}
	list := []shown{}
	for _, s := range set {
		if v := shownOf(s, now); all || v.State != "over" {
			list = append(list, v)
		}
	}
	switch {
	case asJSON:
		return writeJSON(c.stdout, list)
	case len(list) == 0:
		fmt.Fprintln(c.stdout, "There is no silence.")
		return nil
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "silence\tstate\tkeeps quiet\twhen\treason\tauthor")
	for _, v := range list {
		s, _ := set.ByID(v.ID)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", v.ID, v.state(), s.Match, whenOf(s), v.Reason, v.Author)
	}
	return w.Flush()
}

func (v shown) state() string {
	switch {
	case !v.EndedAt.IsZero():
		return "ended by " + v.EndedBy
	case v.Planned:
		return v.State + ", planned"
	default:
		return v.State
	}
}

// whenOf describes when a silence holds.
func whenOf(s silence.Silence) string {
	var all []string
	for _, w := range s.Windows {
		all = append(all, w.String())
	}
	if len(all) > 0 {
		all = []string{strings.Join(all, " and ") + " " + s.Zone}
	}
	if !s.From.IsZero() {
		all = append(all, "from "+s.From.UTC().Format(minuteForm))
	}
	end := s.Until
	if !s.EndedAt.IsZero() {
		end = s.EndedAt
	}
	if !end.IsZero() {
		all = append(all, "until "+end.UTC().Format(minuteForm))
	}
	return strings.Join(all, " ")
}

const minuteForm = "2006-01-02 15:04 UTC"
