package slack_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/slack"
)

// Every kind of message is looked at in two forms: the payload, and what a
// reader sees of it.
func TestGolden(t *testing.T) {
	for _, e := range sendertest.Examples() {
		t.Run(e.Name, func(t *testing.T) {
			payload := slack.Render(e.Notice)
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, payload, "", "  "); err != nil {
				t.Fatal(err)
			}
			pretty.WriteByte('\n')
			sendertest.Golden(t, "slack/"+e.Name+".json", pretty.Bytes())
			sendertest.Golden(t, "slack/"+e.Name+".txt", []byte(post(t, payload).Show(false)))
		})
	}
}
