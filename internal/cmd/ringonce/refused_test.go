package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const whole = `version: 1
environment: test
owners:
  payments: {cost_center: CC-1, destinations: [slack]}
destinations:
  slack: {channel: slack_webhook, webhook_url: "ssm:/slack"}
sources:
  - id: sentry
    preset: sentry
    params: {org: shop}
    request: {bearer: "ssm:/sentry"}
    owner: payments
    operator_action: Open the issue in Sentry.
`

// A stack whose name is mistyped, and one that this person may not touch, are told
// in words, once; what a smoke test could not begin needs no end.
func TestWhatAWSRefusesIsToldInWords(t *testing.T) {
	t.Setenv("AWS_CONFIG_FILE", t.TempDir()+"/none")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", t.TempDir()+"/none")
	t.Setenv("AWS_REGION", "eu-central-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	path := filepath.Join(t.TempDir(), "ringonce.yaml")
	if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{
		"ResourceNotFoundException": "there is no stack mistyped in this account and region",
		"AccessDeniedException":     "these credentials may not do that to the tables of mistyped",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#` + code + `","message":"no"}`))
		}))
		defer server.Close()
		t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", server.URL)
		for _, args := range [][]string{{"list"}, {"status"}, {"smoke", "--destination", "slack"}} {
			var out, problems bytes.Buffer
			args = append(args, "--stack", "mistyped", "--config", path)
			if exit := run(t.Context(), args, &out, &problems, os.Getenv); exit != exitProblems || !strings.Contains(problems.String(), want) {
				t.Errorf("%s: %v exits with %d:\n%s", code, args, exit, &problems)
			}
			if text := problems.String(); strings.Count(text, code) != 1 || strings.Contains(text, "ends by itself") {
				t.Errorf("%s: %v says it more than once:\n%s", code, args, text)
			}
		}
	}
}
