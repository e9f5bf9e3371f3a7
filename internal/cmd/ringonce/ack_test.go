package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/memory"
)

// Yesterday's message says nothing of today's incident, which has the same key.
func TestAnOldMessageAcknowledgesNothingNew(t *testing.T) {
	store := memory.New()
	s := incident.State{Key: testKey}
	for episode := 1; episode <= 2; episode++ {
		s.Episode, s.Open, s.Sequence = episode, true, 1
		s.DecisionSeq++
		d := incident.Decision{IncidentKey: testKey, Seq: s.DecisionSeq, Episode: episode, Sequence: 1, Action: incident.Open, DecidedAt: time.Now()}
		out := delivery.Delivery{
			ID: delivery.ID("", testKey, episode, 1, "slack"), IncidentKey: testKey, Episode: episode, Sequence: 1,
			Action: incident.Open, Destination: "slack", State: delivery.Pending,
		}
		if err := store.Commit(t.Context(), s, d, []delivery.Delivery{out}); err != nil {
			t.Fatal(err)
		}
		s.Version++
	}
	ack := func(asked string, undo bool) string {
		var out bytes.Buffer
		_, err := call{stdout: &out, stderr: &out}.ack(t.Context(), store, ackAsked{incident: asked, author: "alice", undo: undo})
		if err != nil {
			return err.Error()
		}
		return out.String()
	}
	old, latest := delivery.ID("", testKey, 1, 1, "slack"), delivery.ID("", testKey, 2, 1, "slack")
	refused := "is of episode 1 of " + testKey + ", which is over; episode 2 is open"
	for _, c := range []struct {
		asked string
		undo  bool
		want  string
	}{{old, false, refused}, {latest, false, "is taken on by alice"}, {old, true, refused}, {testKey, true, "reminds again"}} {
		if got := ack(c.asked, c.undo); !strings.Contains(got, c.want) {
			t.Errorf("ack %s (undo %v): %s, want %q", c.asked, c.undo, got, c.want)
		}
	}
}
