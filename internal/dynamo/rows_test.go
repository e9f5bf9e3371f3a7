package dynamo

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/google/go-cmp/cmp"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
)

var update = flag.Bool("update", false, "write the golden files")

// TestRows holds the rows as they are stored. A change here is a change of what
// deployed tables hold: old rows must stay readable.
func TestRows(t *testing.T) {
	expires := exampleTick.Add(14 * 24 * time.Hour)
	s := New(nil, Tables{}, KeepDecisions(400*24*time.Hour), KeepDeliveries(400*24*time.Hour))
	s.SetNow(exampleTick)
	got := make(map[string]any)
	add := func(name string, it item, err error) {
		if err != nil {
			t.Fatal(err)
		}
		got[name] = plain(t, it)
	}
	it, err := observationItem(exampleObservation(), expires)
	add("observation", it, err)
	it, err = runItem(exampleRun(), expires)
	add("run", it, err)
	it, err = stateItem(exampleState())
	add("state", it, err)
	it, err = stateItem(incident.State{Key: exampleKey, ResolvedAt: exampleTick})
	add("resolved state", it, err)
	it, err = s.decisionItem(exampleDecision())
	add("decision", it, err)
	it, err = s.deliveryItem(exampleDelivery())
	add("delivery", it, err)
	over := exampleDelivery()
	over.State, over.Note = delivery.Superseded, "resolved since"
	it, err = s.deliveryItem(over)
	add("final delivery", it, err)

	content, err := json.MarshalIndent(got, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "rows.json", append(content, '\n'))
}

// plain renders a row in DynamoDB's JSON, with sorted names. It leaves out the
// notice, which is stored as its own package encodes it.
func plain(t *testing.T, it item) (v any) {
	t.Helper()
	delete(it, "notice")
	content, err := attributevalue.MarshalMapJSON(it)
	if err == nil {
		err = json.Unmarshal(content, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (- want, + got); if that is meant, run with -update:\n%s", path, diff)
	}
}
