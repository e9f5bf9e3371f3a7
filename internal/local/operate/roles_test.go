package operate

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/ringonce/ringonce/internal/local/functionurl"
	"github.com/ringonce/ringonce/internal/local/template"
)

// through lays out the functions so that each calls AWS through the recorder,
// by an address of its own.
func through(t *testing.T, p *services) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names(t) {
		script := "#!/bin/sh\n"
		for _, service := range []string{"dynamodb", "sqs", "ssm", "cloudwatch"} {
			script += fmt.Sprintf("export AWS_ENDPOINT_URL_%s=%s/%s/%s\n", strings.ToUpper(service), p.server.URL, name, service)
		}
		script += fmt.Sprintf("export AWS_ENDPOINT_URL_SESV2=%s/%s/ses\n", p.server.URL, name)
		script += "exec " + filepath.Join(functions(t), name, "bootstrap") + "\n"
		check(t, os.MkdirAll(filepath.Join(dir, name), 0o700))
		check(t, os.WriteFile(filepath.Join(dir, name, "bootstrap"), []byte(script), 0o700))
	}
	return dir
}

// record runs a world in which something fails and recovers, and the store
// fails once: everything that the functions may have to do.
func record(t *testing.T, p *services, templatePath string) *world {
	t.Helper()
	w := open(t, configuration+alarms, templatePath, through(t, p), "RINGONCE_PING_URL=ssm:/ringonce/ping",
		"RINGONCE_PAGE_SECRET=ssm:/ringonce/page", "RINGONCE_PAGE_URL="+pagesAt)
	p.reach(t, w)
	p.mu.Lock()
	p.fail = func(who, what string) bool { return who == "poll" && strings.HasSuffix(what, "/index/active") }
	p.mu.Unlock()
	if err := w.Tick(t.Context(), start); err == nil {
		t.Error("a poll that cannot read the open incidents succeeds")
	}
	for minute := range 4 {
		w.healthy.Store(minute == 2)
		at := start.Add(time.Duration(minute) * time.Minute)
		check(t, w.tick(t.Context(), at, true, true))
		check(t, w.Heartbeat(t.Context(), at))
	}
	p.report(t, w, "bounce")
	openPage(t, p, w)
	return w
}

// recordFlood runs a world in which many things fail at once, which one message
// tells.
func recordFlood(t *testing.T, p *services, templatePath string) {
	t.Helper()
	w := open(t, strings.ReplaceAll(configuration, `"ssm:/ringonce/slack"`, `"ssm:/ringonce/slack", digest_over: 1`), templatePath, through(t, p))
	p.reach(t, w)
	w.flood.Store(true)
	check(t, w.tick(t.Context(), start, true, true))
}

// pagesAt is where incident pages are said to be.
const pagesAt = "https://pages.example.com/"

var pageLink = regexp.MustCompile(pagesAt + `(i/[A-Za-z0-9_.-]+)`)

// openPage follows the link in a message that arrived, to the real function.
func openPage(t *testing.T, p *services, w *world) {
	t.Helper()
	for _, m := range p.inbox.Messages() {
		link := pageLink.FindStringSubmatch(string(m.Body))
		if link == nil {
			t.Errorf("a message has no link to its page: %s", m.Body)
			continue
		}
		asked := httptest.NewRequest(http.MethodGet, "/"+link[1], nil)
		event, err := json.Marshal(functionurl.Event(asked, nil, start))
		check(t, err)
		answer, err := w.Invoke(t.Context(), "page", event)
		check(t, err)
		var page events.LambdaFunctionURLResponse
		check(t, json.Unmarshal(answer, &page))
		if page.StatusCode != http.StatusOK || !strings.Contains(page.Body, "Why these notices and no others") {
			t.Errorf("the link in a message is answered with %d", page.StatusCode)
		}
	}
}

// recordSilence runs a world in which a source that answers says no more of an
// incident that is open, until it lapses.
func recordSilence(t *testing.T, p *services) {
	t.Helper()
	silent := strings.NewReplacer("absent: healthy", "absent: unknown", "healthy_required: 1", "stale_after: 3m").Replace(configuration)
	w := open(t, silent, without(t, ""), through(t, p),
		"RINGONCE_PAGE_SECRET=ssm:/ringonce/page", "RINGONCE_PAGE_URL="+pagesAt)
	p.reach(t, w)
	check(t, w.tick(t.Context(), start, true, true))
	// Seen from so late, the incident has been open for half of a retention.
	check(t, w.Sweep(t.Context(), start.AddDate(0, 0, 201)))
	for minute := range 8 {
		w.healthy.Store(minute > 0)
		check(t, w.tick(t.Context(), start.Add(time.Duration(minute)*time.Minute), true, true))
	}
}

// reach has the recorder pass calls on to the stack's own engine and queue.
func (p *services) reach(t *testing.T, w *world) {
	t.Helper()
	env, err := w.Environment("poll")
	check(t, err)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, v := range env {
		for service, name := range map[string]string{"dynamodb": "AWS_ENDPOINT_URL_DYNAMODB=", "sqs": "AWS_ENDPOINT_URL_SQS="} {
			if address, ok := strings.CutPrefix(v, name); ok {
				p.targets[service] = address
			}
		}
	}
}

func (p *services) ping(w http.ResponseWriter) { _, _ = w.Write([]byte("OK")) }

// Each role allows what its function does, and nothing that it never does. The
// stack runs twice: with the stream of messages handled, and with sweep left to
// deliver them. Every permission is used.
func TestRolesAllowWhatFunctionsDo(t *testing.T) {
	p := startServices(t)
	w := record(t, p, without(t, ""))
	record(t, p, without(t, "DeliverFunction"))
	recordSilence(t, p)
	recordFlood(t, p, without(t, ""))
	recordFlood(t, p, without(t, "DeliverFunction"))
	for _, name := range names(t) {
		allowed, made := allowed(t, w, name), p.made(name)
		for _, call := range made {
			if !slices.Contains(allowed, call) {
				t.Errorf("%s calls %s, which its role does not allow", name, call)
			}
		}
		for _, call := range allowed {
			if !slices.Contains(made, call) {
				t.Errorf("the role of %s allows %s, which it never calls", name, call)
			}
		}
		if len(made) == 0 {
			t.Errorf("%s made no calls", name)
		}
	}
}

// allowed lists what a function's role allows its code, in the words of
// callsOf.
func allowed(t *testing.T, w *world, function string) []string {
	t.Helper()
	parsed, err := template.Load(filepath.Join(root, "template.yaml"))
	check(t, err)
	described, err := parsed.Stack("ringonce", nil)
	check(t, err)
	role, ok := described.Resource(strings.ToUpper(function[:1]) + function[1:] + "Role")
	if !ok {
		t.Fatalf("%s has no role", function)
	}
	found := map[string]bool{}
	for _, policy := range role.Properties["Policies"].([]any) {
		document := policy.(map[string]any)["PolicyDocument"].(map[string]any)
		for _, s := range document["Statement"].([]any) {
			if either, ok := s.(template.Unresolved); ok && either.Function == "If" {
				s = either.Argument.([]any)[1]
			}
			statement := s.(map[string]any)
			for _, action := range statement["Action"].([]any) {
				if call, ok := ofCode(w, action.(string), statement["Resource"]); ok {
					found[call] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// ofCode words a permission as a call. Writing the log, reading the stream and
// reporting what failed are done by Lambda in the function's name, not by code.
func ofCode(w *world, action string, resource any) (string, bool) {
	if strings.HasPrefix(action, "logs:") || action == "sqs:SendMessage" {
		return "", false
	}
	switch r := resource.(type) {
	case template.Reference:
		if r.Attribute == "StreamArn" {
			return "", false
		}
		if table := w.TableName(r.Resource); table != "" {
			return action + " " + table, true
		}
	case template.Unresolved:
		if table, index, ok := strings.Cut(strings.TrimPrefix(fmt.Sprint(r.Argument), "${"), ".Arn}"); ok {
			return action + " " + w.TableName(table) + index, true
		}
	}
	return action, true
}
