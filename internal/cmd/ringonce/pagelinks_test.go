package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/observation"
)

// described is CloudFormation's answer about a stack.
func described(t *testing.T, parameters, outputs map[string]string) *httptest.Server {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackName>ringonce</StackName><CreationTime>2026-01-02T03:04:05Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Parameters>`)
	for k, v := range parameters {
		b.WriteString("<member><ParameterKey>" + k + "</ParameterKey><ParameterValue>" + v + "</ParameterValue></member>")
	}
	b.WriteString("</Parameters><Outputs>")
	for k, v := range outputs {
		b.WriteString("<member><OutputKey>" + k + "</OutputKey><OutputValue>" + v + "</OutputValue></member>")
	}
	b.WriteString("</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); !strings.Contains(string(body), "Action=DescribeStacks") || !strings.Contains(string(body), "StackName=ringonce") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/xml")
		_, _ = io.WriteString(w, b.String())
	}))
	t.Cleanup(s.Close)
	return s
}

// TestARedriveLinksItsMessages wherever the functions link theirs: where the
// environment says so, where a run on the state serves pages, and where a stack's
// parameters switch them on.
func TestARedriveLinksItsMessages(t *testing.T) {
	t.Setenv("AWS_PROFILE", "")
	t.Setenv("AWS_CONFIG_FILE", t.TempDir()+"/none")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", t.TempDir()+"/none")
	t.Setenv("AWS_REGION", "eu-central-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", "")
	t.Setenv("AWS_ENDPOINT_URL", "")
	const key = "0123456789abcdef0123456789abcdef"
	t.Setenv("PAGE", key)
	served, bare := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"pages": "http://127.0.0.1:7480/\n", "page-secret": key + "\n"} {
		if err := os.WriteFile(filepath.Join(served, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pages := map[string]string{"PageUrl": "https://pages.example.com/"}
	on := described(t, map[string]string{"PageSecret": "/ringonce/page", "PageDays": "7"}, pages)
	parameter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		_, _ = io.WriteString(w, `{"Parameters":[{"Name":"/ringonce/page","Value":"`+key+`"}],"InvalidParameters":[]}`)
	}))
	defer parameter.Close()
	t.Setenv("AWS_ENDPOINT_URL_SSM", parameter.URL)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer refuses.Close()
	for name, c := range map[string]struct {
		in             stored
		env            map[string]string
		cloudformation string
		link, says     string
	}{
		"the environment": {
			in: stored{state: bare}, env: map[string]string{"RINGONCE_PAGE_URL": "https://x.example.com", "RINGONCE_PAGE_SECRET": "env:PAGE"},
			link: "https://x.example.com/i/",
		},
		"the environment before a stack": {
			in: stored{stack: "ringonce"}, env: map[string]string{"RINGONCE_PAGE_URL": "https://x.example.com", "RINGONCE_PAGE_SECRET": "env:PAGE"},
			link: "https://x.example.com/i/",
		},
		"a secret that is not there": {
			in: stored{state: bare}, env: map[string]string{"RINGONCE_PAGE_URL": "https://x.example.com", "RINGONCE_PAGE_SECRET": "env:NO_SUCH"},
			says: "messages go without a link to their incident's page: its secret cannot be read",
		},
		"a run's state":            {in: stored{state: served}, link: "http://127.0.0.1:7480/i/"},
		"a run's state, by secret": {in: stored{state: served}, env: map[string]string{"RINGONCE_PAGE_SECRET": "env:PAGE"}, link: "http://127.0.0.1:7480/i/"},
		"a state without pages":    {in: stored{state: bare}},
		"a stack":                  {in: stored{stack: "ringonce"}, cloudformation: on.URL, link: "https://pages.example.com/i/"},
		"a stack without pages":    {in: stored{stack: "ringonce"}, cloudformation: described(t, map[string]string{"PageSecret": "", "PageDays": "30"}, nil).URL},
		"a stack nobody may ask": {
			in: stored{stack: "ringonce"}, cloudformation: refuses.URL,
			says: "messages go without links to pages: ask CloudFormation whether stack ringonce serves any",
		},
		"tables elsewhere": {
			in: stored{stack: "ringonce"}, env: map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("AWS_ENDPOINT_URL_CLOUDFORMATION", c.cloudformation)
			var problems bytes.Buffer
			call := call{stderr: &problems, env: func(name string) string {
				if v, ok := c.env[name]; ok {
					return v
				}
				return os.Getenv(name)
			}}
			link, err := call.pageLinks(t.Context(), &c.in)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if link != nil {
				got = link(t.Context(), "k1/a", 1)
			}
			if !strings.HasPrefix(got, c.link) || (c.link == "") != (got == "") || !holds(problems.String(), c.says) || strings.Contains(problems.String(), key) {
				t.Errorf("link %q, said %q", got, &problems)
			}
		})
	}
	cfg, err := loadChecked(call{stderr: io.Discard}, example)
	if err != nil {
		t.Fatal(err)
	}
	s := memory.New()
	o := observation.Observation{IncidentKey: "k1/error/a=b", Kind: "error", Source: cfg.Sources[0].ID, Tick: morning, Verdict: observation.Failing, Summary: "checkout is down"}
	if _, err := s.PutObservation(t.Context(), o, time.Time{}); err != nil {
		t.Fatal(err)
	}
	link, err := call{stderr: io.Discard, env: os.Getenv}.pageLinks(t.Context(), &stored{state: served})
	if err != nil {
		t.Fatal(err)
	}
	if err := redrive(t.Context(), cfg, s, link, morning.Add(-time.Hour), io.Discard); err != nil {
		t.Fatal(err)
	}
	told, err := s.Episode(t.Context(), o.IncidentKey, 1)
	if err != nil || len(told) == 0 {
		t.Fatalf("%d messages, %v", len(told), err)
	}
	for _, d := range told {
		if !strings.HasPrefix(d.Notice.Page, "http://127.0.0.1:7480/i/") || !strings.Contains(string(d.Payload), "http://127.0.0.1:7480/i/") {
			t.Errorf("the message to %s has no link: %s", d.Destination, d.Payload)
		}
	}
}
