package faults_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/decide"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/heartbeat"
	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/poll"
	"github.com/ringonce/ringonce/internal/receipts"
	"github.com/ringonce/ringonce/internal/setup"
)

// doubtOf leaves the first message of a story in doubt.
func doubtOf(s story) planned {
	w := play(s, memory.New(), nil)
	return planned{slices.Index(w.whats, "send open to "+plain), slices.Index(possible[send], acceptAndClose)}
}

// TestEveryEffectHasAPlace: whatever the use cases ask of a store, of a vendor or of a
// service, something can go wrong there, before and after it. A method that is new and
// is not made faulty shows here.
func TestEveryEffectHasAPlace(t *testing.T) {
	reached := map[string]map[class]bool{}
	add := func(w *world) {
		for i, what := range w.whats {
			verb, _, _ := strings.Cut(what, " ")
			if reached[verb] == nil {
				reached[verb] = map[class]bool{}
			}
			reached[verb][w.seen[i]] = true
		}
	}
	for _, s := range append(further[:3:3], silenced[0], stories[2]) {
		for c, places := range placesOf(s) {
			for choice := range possible[c] {
				for half := range 3 {
					place := places[half*(len(places)-1)/2]
					add(play(s, memory.New(), []planned{{place, choice}}))
				}
			}
		}
	}
	for _, s := range further[3:] {
		add(play(s, memory.New(), nil))
		if s.looks {
			add(play(s, memory.New(), []planned{doubtOf(s)}))
		}
	}
	for _, asked := range []reflect.Type{
		reflect.TypeFor[poll.Store](), reflect.TypeFor[decide.Store](), reflect.TypeFor[decide.Evidence](), reflect.TypeFor[decide.Keeper](),
		reflect.TypeFor[deliver.Ledger](), reflect.TypeFor[receipts.Ledger](),
		reflect.TypeFor[heartbeat.Store](), reflect.TypeFor[heartbeat.Queue](), reflect.TypeFor[setup.Beats](),
	} {
		for i := range asked.NumMethod() {
			if name := asked.Method(i).Name; !reached[name][before] || !reached[name][after] {
				t.Errorf("nothing can go wrong around %s of %s", name, asked)
			}
		}
	}
	for what, c := range map[string]class{"fetch": fetch, "send": send, "observations": record, "outbox": record, "receipts": receipt, "enrich": enrich, "Look": look, "update": update} {
		if !reached[what][c] {
			t.Errorf("nothing can go wrong at %s", what)
		}
	}
	if !reached["send"][mail] {
		t.Error("no mail can come back")
	}
}
