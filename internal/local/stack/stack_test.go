package stack

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/local/lambdaruntime"
)

const templatePath = "../../../template.yaml"

var stubs string

// TestMain builds the stub once and lays it out as all functions.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "stack")
	if err != nil {
		panic(err)
	}
	stubs = dir
	code := 1
	if err := buildStubs(); err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func buildStubs() error {
	built := filepath.Join(stubs, "stub")
	build := exec.Command("go", "build", "-o", built, "./testdata/stub")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	for _, name := range []string{"poll", "decide", "deliver", "sweep", "heartbeat"} {
		if err := os.Mkdir(filepath.Join(stubs, name), 0o700); err != nil {
			return err
		}
		if err := os.Link(built, filepath.Join(stubs, name, "bootstrap")); err != nil {
			return err
		}
	}
	return nil
}

// printed collects what the functions print.
type printed struct {
	mu    sync.Mutex
	lines []string
	// waiting is closed by the first "waiting".
	waiting chan struct{}
}

func (p *printed) line(l lambdaruntime.Line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.Text == "waiting" && !slices.Contains(p.lines, "waiting") {
		close(p.waiting)
	}
	p.lines = append(p.lines, l.Text)
}

// sorted returns the lines that start with a word, in text order.
func (p *printed) sorted(word string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found []string
	for _, l := range p.lines {
		if strings.HasPrefix(l, word) {
			found = append(found, l)
		}
	}
	slices.Sort(found)
	return found
}

func start(t *testing.T, o Options) (*Stack, *printed) {
	t.Helper()
	p := &printed{waiting: make(chan struct{})}
	o.Template, o.FunctionsDir, o.Output = templatePath, stubs, p.line
	o.PollEvery = time.Hour // only Drain makes the mappings read
	o.Backoff = func(int) time.Duration { return 0 }
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, p
}

var tick = time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantLines closes the stack, which flushes what the functions printed.
func wantLines(t *testing.T, s *Stack, p *printed, word string, want ...string) {
	t.Helper()
	check(t, s.Close())
	if got := p.sorted(word); !slices.Equal(got, want) {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestATickGoesThroughAllFunctions(t *testing.T) {
	s, p := start(t, Options{Env: []string{"STUB_KEYS=a,b"}})
	check(t, s.Tick(t.Context(), tick))
	check(t, s.Drain(t.Context()))
	check(t, s.Sweep(t.Context(), tick))
	if got := s.TableName("OutboxTable"); got != "ringonce-outbox" {
		t.Errorf("outbox table %q", got)
	}
	wantLines(t, s, p, "", "delivered a 2026-01-02T03:04:00Z", "delivered b 2026-01-02T03:04:00Z", "swept 2026-01-02T03:04:00Z")
	if _, err := os.Stat(s.options.StateDir); !os.IsNotExist(err) {
		t.Errorf("temporary state is left behind: %v", err)
	}
}

// Case O5 through the whole stack, with the template's own settings.
func TestCaseO5PoisonReachesTheFailureQueue(t *testing.T) {
	s, p := start(t, Options{Env: []string{"STUB_KEYS=a,poison,b"}})
	check(t, s.Tick(t.Context(), tick))
	check(t, s.Drain(t.Context()))
	failures, err := s.Failures()
	check(t, err)
	if len(failures) != 1 || !strings.HasSuffix(failures[0].RequestContext.FunctionARN, ":ringonce-decide") {
		t.Errorf("failures %+v, want one of decide", failures)
	}
	wantLines(t, s, p, "delivered", "delivered a 2026-01-02T03:04:00Z", "delivered b 2026-01-02T03:04:00Z")
}

func TestRestartKillsWorkersWhereTheyAreAndLosesNothing(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	s, p := start(t, Options{Env: []string{"STUB_KEYS=slow,a", "STUB_GATE=" + gate}})
	check(t, s.Tick(t.Context(), tick))
	cut := make(chan error, 1)
	go func() { cut <- s.Drain(context.Background()) }()
	<-p.waiting
	check(t, s.Restart())
	if err := <-cut; err == nil {
		t.Error("a drain that a restart cut off says that all was handled")
	}
	check(t, os.WriteFile(gate, nil, 0o600))
	check(t, s.Drain(t.Context()))
	if failures, err := s.Failures(); err != nil || len(failures) > 0 {
		t.Errorf("failures %+v, %v; want none", failures, err)
	}
	check(t, s.Close())
	for _, key := range []string{"a", "slow"} {
		if !slices.Contains(p.sorted("delivered"), "delivered "+key+" 2026-01-02T03:04:00Z") {
			t.Errorf("%s was not delivered; printed %q", key, p.lines)
		}
	}
}

func TestAStateDirectoryGoesOnWhereItStopped(t *testing.T) {
	dir := t.TempDir()
	s, p := start(t, Options{StateDir: dir, Env: []string{"STUB_KEYS=a"}})
	check(t, s.Tick(t.Context(), tick))
	check(t, s.Drain(t.Context()))
	check(t, s.Tick(t.Context(), tick.Add(time.Minute)))
	wantLines(t, s, p, "delivered", "delivered a 2026-01-02T03:04:00Z")
	again, p := start(t, Options{StateDir: dir})
	check(t, again.Drain(t.Context()))
	wantLines(t, again, p, "delivered", "delivered a 2026-01-02T03:05:00Z")
}

func TestSchedulesRunByTheClockUntilTheyAreStopped(t *testing.T) {
	s, p := start(t, Options{Env: []string{"STUB_KEYS=a"}})
	for i := range s.functions {
		for j := range s.functions[i].schedules {
			s.functions[i].schedules[j].Rate = time.Millisecond
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		s.RunSchedules(ctx)
		close(done)
	}()
	for len(p.sorted("swept")) < 2 {
		time.Sleep(time.Millisecond)
	}
	stop()
	<-done
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	content, err := os.ReadFile(templatePath)
	check(t, err)
	for name, tt := range map[string]struct{ old, new, want string }{
		"a schedule it cannot run":  {"cron(* * * * ? *)", "cron(0 * * * ? *)", "event EveryMinute"},
		"a filter it cannot apply":  {`{"eventName": ["INSERT"]}`, `{"dynamodb": {}}`, "filter pattern"},
		"an event it does not have": {"Type: ScheduleV2", "Type: SNS", "no events of type SNS"},
		"a name without the stack":  {"'${AWS::StackName}-poll'", "poll", "FunctionName"},
		"a mapping of no stream":    {"Stream: !GetAtt OutboxTable.StreamArn", "Stream: !GetAtt IncidentsTable.StreamArn", "no table with a stream"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.ReplaceAll(string(content), tt.old, tt.new)
			path := filepath.Join(t.TempDir(), "template.yaml")
			check(t, os.WriteFile(path, []byte(changed), 0o600))
			_, err := Start(t.Context(), Options{Template: path, FunctionsDir: stubs})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error that says %q", err, tt.want)
			}
		})
	}
}
