package invoke

import (
	"os"
	"testing"
)

func TestAnswersAreChecked(t *testing.T) {
	const two = `{"batchItemFailures":[{"itemIdentifier":"1"},{"itemIdentifier":"2"}]}`
	for _, c := range []struct {
		event, answer string
		ok            bool
	}{
		{"poll/scheduled", "null", true},
		{"poll/scheduled", `{"errorType":"errorString","errorMessage":"no"}`, false},
		{"decide/many", `{"batchItemFailures":[]}`, true},
		{"decide/many", two, false},
		{"decide/many", `{"errorMessage":"no"}`, false},
		{"decide/many", "", false},
		{"decide/malformed", two, true},
		{"decide/malformed", `{"batchItemFailures":[]}`, false},
		{"decide/ttl-remove", `{"batchItemFailures":[]}`, true},
		{"deliver/malformed", two, true},
		{"page/open", `{"statusCode":404,"headers":{"X-Robots-Tag":"noindex"},"body":""}`, true},
		{"page/open", `{"statusCode":502,"headers":{"X-Robots-Tag":"noindex"},"body":""}`, false},
		{"page/open", `{"errorMessage":"no"}`, false},
		{"page/open", "null", false},
	} {
		payload, err := os.ReadFile("../../../events/" + c.event + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := check(payload, []byte(c.answer)); (err == nil) != c.ok {
			t.Errorf("%s answered with %s: %v", c.event, c.answer, err)
		}
	}
}
