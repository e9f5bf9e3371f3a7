package dynamo_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/ringonce/ringonce/internal/incident"
)

// unserved answers a BatchGetItem with nothing but its own keys.
func unserved(w http.ResponseWriter, _ *http.Request, body []byte) bool {
	var ask struct{ RequestItems json.RawMessage }
	if err := json.Unmarshal(body, &ask); err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	fmt.Fprintf(w, `{"Responses":{},"UnprocessedKeys":%s}`, ask.RequestItems)
	return true
}

func TestStatesAskAgain(t *testing.T) {
	s, p := behindProxy(t, 1)
	fatal(t, s.Save(t.Context(), incident.State{Key: "k"}))
	t.Run("for what was not served", func(t *testing.T) {
		p.queue("BatchGetItem", unserved, unserved)
		states, err := s.States(t.Context(), []string{"k", "j"})
		fatal(t, err)
		if len(states) != 1 || p.count()["BatchGetItem"] != 3 {
			t.Errorf("states are %v, want the one that is there, in three requests", states)
		}
	})
	t.Run("not without end", func(t *testing.T) {
		for range 50 {
			p.queue("BatchGetItem", unserved)
		}
		p.count()
		_, err := s.States(t.Context(), []string{"k"})
		wants(t, err, incident.ErrBusy)
		if got := p.count()["BatchGetItem"]; got > 10 {
			t.Errorf("%d requests", got)
		}
	})
}
