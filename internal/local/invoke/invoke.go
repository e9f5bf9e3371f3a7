// Package invoke runs a function's real bootstrap with a recorded event, under AWS's
// own Lambda runtime interface emulator and against the local stack: what `sam local
// invoke` does inside a container, without the container.
//
// https://github.com/aws/aws-lambda-runtime-interface-emulator
package invoke

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/local/stack"
)

// Options say what to run, and where its parts are.
type Options struct {
	// Emulator is the emulator's binary.
	Emulator     string
	FunctionsDir string
	Template     string
	Engine       string
	// Config is the configuration that the functions read, and Env the variables that
	// its references need, as KEY=value.
	Config string
	Env    []string
	Out    io.Writer
}

// Event is one file to invoke a function with.
type Event struct{ Function, Path string }

// Events returns the recorded events of a folder, which has one folder per
// function.
func Events(dir string) ([]Event, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("there are no events in %s: name the folder events of a checkout of Ringonce with --events", dir)
	}
	var all []Event
	for _, p := range paths {
		all = append(all, Event{filepath.Base(filepath.Dir(p)), p})
	}
	return all, err
}

// First returns one event of each function.
func First(all []Event) []Event {
	var first []Event
	seen := map[string]bool{}
	for _, e := range all {
		if !seen[e.Function] {
			seen[e.Function] = true
			first = append(first, e)
		}
	}
	return first
}

// Run invokes functions with events, one after the other, and prints each answer. It
// returns an error if an answer is not the expected one.
func Run(ctx context.Context, o Options, all []Event) error {
	if err := stack.Missing(stack.Options{Template: o.Template, FunctionsDir: o.FunctionsDir, Engine: o.Engine}); err != nil {
		return err
	}
	config, err := filepath.Abs(o.Config)
	if err != nil {
		return err
	}
	env := append([]string{"RINGONCE_CONFIG=" + config}, o.Env...)
	// No mapping must invoke a function here: the emulator does.
	s, err := stack.Start(ctx, stack.Options{
		Template: o.Template, FunctionsDir: o.FunctionsDir, Engine: o.Engine, Env: env, PollEvery: time.Hour,
	})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := mail(ctx, s, all); err != nil {
		return err
	}
	failed := 0
	for _, e := range all {
		if err := o.one(ctx, s, e); err != nil {
			failed++
			fmt.Fprintf(o.Out, "FAILED %-10s %s: %v\n", e.Function, e.Path, err)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d invocations failed", failed, len(all))
	}
	return nil
}

func (o Options) one(ctx context.Context, s *stack.Stack, e Event) error {
	payload, err := os.ReadFile(e.Path)
	if err != nil {
		return err
	}
	env, err := s.Environment(e.Function)
	if err != nil {
		return err
	}
	bootstrap, err := filepath.Abs(filepath.Join(o.FunctionsDir, e.Function, "bootstrap"))
	if err != nil {
		return err
	}
	answer, log, err := o.ask(ctx, bootstrap, env, payload)
	if err == nil {
		err = check(payload, answer)
	}
	if err != nil {
		return fmt.Errorf("%w\nanswered %s\n%s", err, answer, log)
	}
	fmt.Fprintf(o.Out, "ok     %-10s %-32s init %s ms, answered %s\n", e.Function, e.Path, initTime(log), answer)
	return nil
}

// check compares an answer with its event. The answer to a request is a response,
// that to a schedule or an SES event is empty, and that to a batch names the failed
// records: those that nobody can read, which only malformed.json has. The emulator
// returns errors under status 200.
func check(payload, answer []byte) error {
	var event struct {
		Records []json.RawMessage
		RawPath string
	}
	if err := json.Unmarshal(payload, &event); err != nil {
		return fmt.Errorf("the event is no JSON: %w", err)
	}
	if event.RawPath != "" {
		return checkResponse(answer)
	}
	if event.Records == nil {
		if text := strings.TrimSpace(string(answer)); text != "null" {
			return fmt.Errorf("want null")
		}
		return nil
	}
	var got struct {
		BatchItemFailures *[]struct {
			ItemIdentifier string `json:"itemIdentifier"`
		} `json:"batchItemFailures"`
	}
	if err := json.Unmarshal(answer, &got); err != nil || got.BatchItemFailures == nil {
		return fmt.Errorf("want batchItemFailures")
	}
	want := 0
	for _, r := range event.Records {
		if unreadable(r) {
			want++
		}
	}
	if n := len(*got.BatchItemFailures); n != want {
		return fmt.Errorf("%d records are not done, want %d", n, want)
	}
	return nil
}

// checkResponse requires what a function URL needs to make a response.
func checkResponse(answer []byte) error {
	var got struct {
		StatusCode int               `json:"statusCode"`
		Headers    map[string]string `json:"headers"`
	}
	if err := json.Unmarshal(answer, &got); err != nil || got.StatusCode < 200 || got.StatusCode > 499 || len(got.Headers) == 0 {
		return fmt.Errorf("want a response: statusCode, headers and body")
	}
	return nil
}

// unreadable reports whether an inserted row lacks an attribute that every row of its
// table has, or has it with the wrong type.
func unreadable(record json.RawMessage) bool {
	var r struct {
		EventName string `json:"eventName"`
		DynamoDB  struct {
			NewImage map[string]struct{ S, N *string }
		} `json:"dynamodb"`
	}
	if json.Unmarshal(record, &r) != nil || r.EventName != "INSERT" {
		return false
	}
	image := r.DynamoDB.NewImage
	if _, outbox := image["slot"]; outbox {
		return image["destination"].S == nil || image["sequence"].N == nil || image["episode"].N == nil || image["action"].S == nil
	}
	return image["verdict"].S == nil || image["tick"].S == nil
}
