package demo_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/explain"
)

var (
	messageID = regexp.MustCompile(`d1-[0-9a-f]{20}`)
	// The first message to slack-payments is the one that Slack refused once.
	slackMessage = regexp.MustCompile(`(?s)Slack slack-payments\n.*?d1-[0-9a-f]{20}`)
)

// explained asks the command about a message, as a person would.
func explained(t *testing.T, state, asked string) explain.Report {
	t.Helper()
	command := filepath.Join(t.TempDir(), "ringonce")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", command, "./internal/cmd/ringonce")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the command: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), command, "explain", "--state", state,
		"--config", filepath.Join(state, "ringonce.yaml"), "--json", asked)
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ringonce explain %s: %v\n%s", asked, err, out)
	}
	var rep explain.Report
	if err := json.Unmarshal(out, &rep); err != nil {
		t.Fatal(err)
	}
	return rep
}

// testFromOneMessage goes from the text of one Slack message of the story to the
// group at the vendor, to both attempts of the retried delivery, and to why
// there was no second open. The text is all that is asked with, as somebody would
// paste it.
func testFromOneMessage(t *testing.T, state, output string) {
	message := slackMessage.FindString(output)
	id := messageID.FindString(message)
	if id == "" {
		t.Fatal("there is no Slack message to slack-payments in the output")
	}
	rep := explained(t, state, message)
	if e := rep.Evidence.Last; e == nil || e.VendorID != "72887070" || !strings.HasSuffix(e.Link, "/monitors/72887070") {
		t.Errorf("the group at the vendor: %+v", e)
	}
	told := 0
	for _, d := range rep.Deliveries {
		if d.ID != id {
			continue
		}
		told++
		if len(d.Attempts) != 2 {
			t.Fatalf("attempts: %+v", d.Attempts)
		}
		first, second := d.Attempts[0], d.Attempts[1]
		if first.Retry || first.Class != "temporary" || first.Status != 500 || first.Code != "rollup_error" {
			t.Errorf("the first attempt: %+v", first)
		}
		if !second.Retry || second.Class != "accepted" || second.Waited <= 0 || !second.Started.After(first.Ended) {
			t.Errorf("the retry: %+v", second)
		}
	}
	if told != 1 {
		t.Errorf("the message is %d times among its incident's deliveries", told)
	}
	// The poll that was killed may have left no observation.
	opens, silent := 0, 0
	for _, e := range rep.Timeline {
		switch {
		case e.Action == "open":
			opens++
		case e.Code == "cooldown_active":
			silent += e.Count
		}
	}
	if opens != 1 || silent < 4 || !strings.Contains(rep.Why, "There was no second open, because an open incident is not opened again") {
		t.Errorf("%d opens, %d silent failing polls; %s", opens, silent, rep.Why)
	}
	if len(rep.Differences) > 0 || len(rep.Notes) > 0 || rep.Found.DeliveryID != id {
		t.Errorf("differences %v, notes %v, found %+v", rep.Differences, rep.Notes, rep.Found)
	}
}
