package operate

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ringonce/ringonce/internal/local/inbox"
)

// services play SSM and pass on to SES, SQS and DynamoDB what the functions
// ask of them, and take down who asked for what. Who is the first part of the
// path, which the caller's endpoint has.
type services struct {
	server *httptest.Server
	inbox  *inbox.Inbox
	slack  string
	mail   string

	mu sync.Mutex
	// targets are the DynamoDB engine and the queue, once they are known.
	targets map[string]string
	calls   map[string]map[string]bool
	// asked are the names of each call for secrets, by who asked.
	asked map[string][][]string
	// reported counts the mails that SES has told of.
	reported int
	// fail answers a call with an error once.
	fail func(who, what string) bool
}

func startServices(t *testing.T) *services {
	t.Helper()
	in := startInbox(t)
	p := &services{inbox: in, calls: map[string]map[string]bool{}, asked: map[string][][]string{}, targets: map[string]string{}}
	p.slack, p.mail = in.WebhookURL("slack"), in.SESEndpoint()
	p.targets["ses"] = p.mail
	p.server = httptest.NewServer(p)
	t.Cleanup(p.server.Close)
	return p
}

// env points a function at the services that are not the stack's own.
func (p *services) env(who string) []string {
	return []string{
		"AWS_ENDPOINT_URL_SSM=" + p.server.URL + "/" + who + "/ssm",
		"AWS_ENDPOINT_URL_SESV2=" + p.server.URL + "/" + who + "/ses",
	}
}

func (p *services) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	service, rest, _ := strings.Cut(rest, "/")
	if who == "ping" {
		p.ping(w)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	calls := callsOf(service, r, body)
	if p.record(who, calls) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"__type":"com.amazon.coral.service#AccessDeniedException","message":"once"}`))
		return
	}
	if service == "ssm" {
		p.secrets(w, who, body)
		return
	}
	p.mu.Lock()
	target, err := url.Parse(p.targets[service])
	p.mu.Unlock()
	if err != nil || target.Host == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.URL.Path = "/" + rest
	httputil.NewSingleHostReverseProxy(target).ServeHTTP(w, r)
}

// record takes down what is called, and reports whether it shall fail.
func (p *services) record(who string, calls []string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls[who] == nil {
		p.calls[who] = map[string]bool{}
	}
	failed := false
	for _, c := range calls {
		p.calls[who][c] = true
		if p.fail != nil && p.fail(who, c) {
			p.fail, failed = nil, true
		}
	}
	return failed
}

func (p *services) made(who string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.calls[who]))
}

func (p *services) secrets(w http.ResponseWriter, who string, body []byte) {
	var asked struct{ Names []string }
	_ = json.Unmarshal(body, &asked)
	p.mu.Lock()
	p.asked[who] = append(p.asked[who], asked.Names)
	p.mu.Unlock()
	values := map[string]string{"/ringonce/slack": p.slack, "/ringonce/vendor": "token", "/ringonce/ping": p.server.URL + "/ping", "/ringonce/page": "0123456789abcdef"}
	var found []map[string]string
	for _, name := range asked.Names {
		v, ok := values[name]
		if strings.HasPrefix(name, "/ringonce/many-") {
			v, ok = p.slack, true
		}
		if ok {
			found = append(found, map[string]string{"Name": name, "Value": v, "Type": "SecureString"})
		}
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	_ = json.NewEncoder(w).Encode(map[string]any{"Parameters": found})
}

// callsOf says what a request needs to be allowed: the action, and the table
// or index by its local name, as "dynamodb:Query ringonce-outbox/index/due".
func callsOf(service string, r *http.Request, body []byte) []string {
	switch service {
	case "ssm":
		return []string{"ssm:GetParameters"}
	case "cloudwatch":
		return []string{"cloudwatch:DescribeAlarms"}
	case "ses":
		return []string{"ses:SendEmail"}
	case "sqs":
		return []string{"sqs:GetQueueAttributes"}
	}
	_, action, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	var in struct {
		TableName, IndexName string
		RequestItems         map[string]any
		TransactItems        []map[string]struct{ TableName string }
	}
	_ = json.Unmarshal(body, &in)
	var calls []string
	for table := range in.RequestItems {
		calls = append(calls, "dynamodb:"+action+" "+table)
	}
	for _, item := range in.TransactItems {
		for kind, on := range item {
			verb := map[string]string{"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}[kind]
			calls = append(calls, "dynamodb:"+verb+" "+on.TableName)
		}
	}
	if in.TableName != "" {
		resource := in.TableName
		if in.IndexName != "" {
			resource += "/index/" + in.IndexName
		}
		calls = append(calls, "dynamodb:"+action+" "+resource)
	}
	return calls
}

// report has SES say an event of each mail that it has not told of, as
// EventBridge hands it to receipts.
func (p *services) report(t *testing.T, w *world, event string) {
	t.Helper()
	recorded, err := os.ReadFile(filepath.Join(root, "events", "receipts", event+".json"))
	check(t, err)
	for _, m := range p.inbox.Messages()[p.reported:] {
		p.reported++
		if m.Channel != inbox.Mail {
			continue
		}
		_, err := w.Invoke(t.Context(), "receipts", bytes.ReplaceAll(recorded, []byte("d1-0f59bfd88fc9759ef654"), []byte(m.DeliveryID)))
		check(t, err)
	}
}
