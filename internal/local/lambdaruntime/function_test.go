package lambdaruntime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// probeBinary is the function's bootstrap. A test that starts this test binary
// again hands its path on in probeEnv.
var probeBinary string

const probeEnv = "LAMBDARUNTIME_TEST_BINARY"

// TestMain builds the function that the tests run: a real one.
func TestMain(m *testing.M) {
	if probeBinary = os.Getenv(probeEnv); probeBinary != "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "lambdaruntime")
	if err != nil {
		panic(err)
	}
	probeBinary = filepath.Join(dir, "bootstrap")
	build := exec.Command("go", "build", "-tags", "lambda.norpc", "-o", probeBinary, "./testdata/probe")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

type probeAnswer struct {
	PID       int    `json:"pid"`
	Text      string `json:"text"`
	RequestID string `json:"request_id"`
	ARN       string `json:"arn"`
	Left      int64  `json:"left"`
}

// newProbe returns the probe as a function whose time limit no slow machine
// reaches.
func newProbe(t *testing.T) *Function {
	t.Helper()
	f := &Function{Name: "probe", Binary: probeBinary, Timeout: 10 * time.Minute}
	t.Cleanup(f.Close)
	return f
}

func ask(do, text string) []byte {
	b, _ := json.Marshal(map[string]string{"do": do, "text": text})
	return b
}

func mustInvoke(t *testing.T, f *Function, do, text string) probeAnswer {
	t.Helper()
	response, err := f.Invoke(context.Background(), ask(do, text))
	if err != nil {
		t.Fatalf("invoke %s: %v", do, err)
	}
	var a probeAnswer
	if err := json.Unmarshal(response, &a); err != nil {
		t.Fatalf("response %q: %v", response, err)
	}
	return a
}

func TestInvokeRunsTheBinaryAndKeepsItsProcess(t *testing.T) {
	f := newProbe(t)
	first := mustInvoke(t, f, "echo", "hello")
	second := mustInvoke(t, f, "echo", "again")
	if first.Text != "hello" || second.Text != "again" {
		t.Errorf("got %q and %q", first.Text, second.Text)
	}
	if first.PID != second.PID {
		t.Errorf("processes %d and %d: want one kept", first.PID, second.PID)
	}
	if first.RequestID == second.RequestID || len(first.RequestID) != 36 {
		t.Errorf("request ids %q and %q: want two UUIDs", first.RequestID, second.RequestID)
	}
	if want := "arn:aws:lambda:us-east-1:000000000000:function:probe"; first.ARN != want {
		t.Errorf("arn %q, want %q", first.ARN, want)
	}
	if limit := f.Timeout.Milliseconds(); first.Left > limit || first.Left < limit/2 {
		t.Errorf("%d ms to the deadline, want at most %d and not much less", first.Left, limit)
	}
}

func TestAHandlerErrorIsTypedAndKeepsTheProcess(t *testing.T) {
	f := newProbe(t)
	before := mustInvoke(t, f, "echo", "")
	_, err := f.Invoke(context.Background(), ask("error", "no such table"))
	var failed *FunctionError
	if !errors.As(err, &failed) || failed.Message != "no such table" || failed.Type != "errorString" || failed.Init {
		t.Fatalf("got %#v, want the handler's own error", err)
	}
	if after := mustInvoke(t, f, "echo", ""); after.PID != before.PID {
		t.Errorf("process %d replaced by %d after an ordinary error", before.PID, after.PID)
	}
}

func TestTheProcessIsReplacedAfter(t *testing.T) {
	tests := []struct {
		do   string
		want func(error) bool
	}{
		{"panic", func(err error) bool {
			var e *FunctionError
			return errors.As(err, &e) && e.Message == "x"
		}},
		{"exit", func(err error) bool {
			var e *ExitError
			return errors.As(err, &e) && e.State == "exit status 4"
		}},
	}
	for _, tt := range tests {
		t.Run(tt.do, func(t *testing.T) {
			f := newProbe(t)
			before := mustInvoke(t, f, "echo", "")
			if _, err := f.Invoke(context.Background(), ask(tt.do, "x")); !tt.want(err) {
				t.Errorf("got %#v", err)
			}
			if after := mustInvoke(t, f, "echo", ""); after.PID == before.PID {
				t.Errorf("process %d answers after it ended", before.PID)
			}
		})
	}
}

func TestTimeoutKillsTheProcess(t *testing.T) {
	f := newProbe(t)
	before := mustInvoke(t, f, "echo", "")
	f.Timeout = 50 * time.Millisecond
	_, err := f.Invoke(context.Background(), ask("hang", ""))
	var late *TimeoutError
	if !errors.As(err, &late) || late.Init || late.After != f.Timeout {
		t.Fatalf("got %#v, want a timeout after %s", err, f.Timeout)
	}
	f.Timeout = 10 * time.Minute
	if after := mustInvoke(t, f, "echo", ""); after.PID == before.PID {
		t.Errorf("process %d lives on after its timeout", before.PID)
	}
}

func TestKillEndsRunningAndIdleProcesses(t *testing.T) {
	lines := make(chan Line, 10)
	f := newProbe(t)
	f.Concurrency = 2
	f.Output = func(l Line) { lines <- l }
	failed := make(chan error, 1)
	go func() {
		_, err := f.Invoke(context.Background(), ask("hang", ""))
		failed <- err
	}()
	hanging := <-lines
	idle := mustInvoke(t, f, "echo", "")
	f.Kill()
	var exit *ExitError
	if err := <-failed; !errors.As(err, &exit) || exit.State != "signal: killed" {
		t.Errorf("the running invocation got %#v, want a killed process", err)
	}
	if after := mustInvoke(t, f, "echo", ""); after.PID == idle.PID || after.PID == hanging.PID {
		t.Errorf("process %d answers after the kill", after.PID)
	}
}

// A process that died while nobody used it costs the next invocation nothing.
func TestAnIdleDeathIsNotAnInvocationsFailure(t *testing.T) {
	f := newProbe(t)
	before := mustInvoke(t, f, "echo", "")
	for _, p := range f.all() {
		p.kill()
		<-p.exited
	}
	if after := mustInvoke(t, f, "echo", ""); after.PID == before.PID {
		t.Errorf("process %d answers after its death", after.PID)
	}
}

func TestConcurrencyIsALimit(t *testing.T) {
	lines := make(chan Line, 10)
	f := newProbe(t)
	f.Concurrency = 2
	f.Output = func(l Line) { lines <- l }
	gate := filepath.Join(t.TempDir(), "gate")
	pids := make(chan int, 6)
	var running sync.WaitGroup
	for range cap(pids) {
		running.Go(func() { pids <- mustInvoke(t, f, "wait", gate).PID })
	}
	<-lines
	<-lines
	waiting, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Invoke(waiting, ask("echo", "")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	openGate(t, gate)
	running.Wait()
	close(pids)
	seen := map[int]bool{}
	for pid := range pids {
		seen[pid] = true
	}
	if len(seen) != 2 {
		t.Errorf("%d processes ran, want 2", len(seen))
	}
}

func openGate(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAFunctionThatCannotStart(t *testing.T) {
	f := newProbe(t)
	f.Env = []string{"PROBE_START=exit"}
	_, err := f.Invoke(context.Background(), ask("echo", ""))
	var exit *ExitError
	if !errors.As(err, &exit) || exit.State != "exit status 3" {
		t.Errorf("got %#v, want exit status 3", err)
	}
	missing := &Function{Name: "missing", Binary: filepath.Join(t.TempDir(), "bootstrap")}
	if _, err := missing.Invoke(context.Background(), nil); !errors.As(err, &exit) || !strings.Contains(err.Error(), "missing") {
		t.Errorf("got %v, want an error that names the function", err)
	}
}

func TestTheEnvironmentIsLambdasAndTheFunctionsOwn(t *testing.T) {
	t.Setenv("OF_THE_CALLER", "1")
	f := newProbe(t)
	f.Env = []string{"MINE=1", "AWS_REGION=eu-central-1"}
	got := map[string]string{}
	for line := range strings.SplitSeq(mustInvoke(t, f, "env", "").Text, "\n") {
		name, value, _ := strings.Cut(line, "=")
		got[name] = value
	}
	want := map[string]string{
		"MINE": "1", "AWS_REGION": "eu-central-1", "AWS_DEFAULT_REGION": "eu-central-1",
		"AWS_LAMBDA_FUNCTION_NAME": "probe", "_HANDLER": "bootstrap",
		"LAMBDA_TASK_ROOT": filepath.Dir(probeBinary), "AWS_ACCESS_KEY_ID": "local", "TZ": ":UTC",
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s=%q, want %q", name, got[name], value)
		}
	}
	if _, leaked := got["OF_THE_CALLER"]; leaked {
		t.Error("the caller's environment reached the function")
	}
}

func TestTheBinaryMayBeGivenByARelativePath(t *testing.T) {
	t.Chdir(filepath.Dir(filepath.Dir(probeBinary)))
	f := newProbe(t)
	f.Binary = filepath.Join(filepath.Base(filepath.Dir(probeBinary)), "bootstrap")
	mustInvoke(t, f, "echo", "")
}

func TestCredentialsOfTheEnvironmentWin(t *testing.T) {
	f := &Function{Name: "f", Env: []string{"AWS_PROFILE=mail"}}
	for _, entry := range f.environment("/bootstrap", "127.0.0.1:1") {
		if strings.HasPrefix(entry, "AWS_ACCESS_KEY_ID=") {
			t.Errorf("%s hides the profile", entry)
		}
	}
}

func TestOutputComesLineByLine(t *testing.T) {
	var mu sync.Mutex
	var got []string
	f := newProbe(t)
	f.Output = func(l Line) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, fmt.Sprintf("%s %t %s", l.Function, l.PID > 0, l.Text))
	}
	mustInvoke(t, f, "print", "one\ntwo")
	f.Close()
	all := strings.Join(got, "|")
	for _, want := range []string{"probe true one|", "probe true two", "probe true no line end"} {
		if !strings.Contains(all, want) {
			t.Errorf("lines %q lack %q", all, want)
		}
	}
}

func TestAResponseOverTheLimitIsAFunctionError(t *testing.T) {
	f := newProbe(t)
	_, err := f.Invoke(context.Background(), ask("large", ""))
	var failed *FunctionError
	if !errors.As(err, &failed) || failed.Type != "Function.ResponseSizeTooLarge" {
		t.Errorf("got %v, want Function.ResponseSizeTooLarge", err)
	}
}

func TestCloseLetsARunningInvocationEnd(t *testing.T) {
	lines := make(chan Line, 10)
	f := newProbe(t)
	f.Output = func(l Line) { lines <- l }
	gate := filepath.Join(t.TempDir(), "gate")
	ended := make(chan error, 1)
	go func() {
		_, err := f.Invoke(context.Background(), ask("wait", gate))
		ended <- err
	}()
	<-lines
	closed := make(chan struct{})
	go func() {
		f.Close()
		close(closed)
	}()
	<-f.closing
	if _, err := f.Invoke(context.Background(), ask("echo", "")); !errors.Is(err, ErrClosed) {
		t.Errorf("during Close: got %v, want ErrClosed", err)
	}
	openGate(t, gate)
	if err := <-ended; err != nil {
		t.Errorf("the running invocation got %v", err)
	}
	<-closed
	if left := len(f.all()); left != 0 {
		t.Errorf("%d processes left after Close", left)
	}
}
