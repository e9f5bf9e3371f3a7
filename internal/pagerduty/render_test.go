package pagerduty_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/sendertest"
)

func TestGolden(t *testing.T) {
	for _, e := range sendertest.Examples() {
		t.Run(e.Name, func(t *testing.T) {
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, pagerduty.Render(e.Notice), "", "  "); err != nil {
				t.Fatal(err)
			}
			pretty.WriteByte('\n')
			sendertest.Golden(t, "pagerduty/"+e.Name+".json", pretty.Bytes())
		})
	}
}

func keyOf(t *testing.T, payload []byte) string {
	t.Helper()
	var e struct {
		DedupKey string `json:"dedup_key"`
	}
	if err := json.Unmarshal(payload, &e); err != nil {
		t.Fatal(err)
	}
	return e.DedupKey
}

// One key for all messages of an episode; another for another episode, incident
// or environment; and one that is not too long.
func TestDedupKeyNamesTheEpisode(t *testing.T) {
	n := sendertest.Examples()[0].Notice
	open := keyOf(t, pagerduty.Render(n))
	same := n
	same.Action, same.Sequence, same.Summary, same.DeliveryID = incident.Resolve, 3, "other", "d1-00000000000000000000"
	if got := keyOf(t, pagerduty.Render(same)); got != open {
		t.Errorf("the resolve has key %q, the open %q", got, open)
	}
	seen := map[string]bool{open: true}
	for range 2 {
		for _, other := range []func(){
			func() { n.Episode++ }, func() { n.IncidentKey += "x" }, func() { n.Environment += "/k1" }, func() { n.Environment += "#2" },
		} {
			other()
			k := keyOf(t, pagerduty.Render(n))
			if seen[k] || len(k) > 255 {
				t.Errorf("key %q: seen before, or too long", k)
			}
			seen[k] = true
		}
		n.IncidentKey = strings.Repeat("long/", 60)
	}
}
