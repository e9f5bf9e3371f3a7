package invoke

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// startWithin bounds the emulator's start, and answerWithin an invocation.
const (
	startWithin  = 30 * time.Second
	answerWithin = 90 * time.Second
)

// emulator is one emulator process. It handles one invocation at a time. It gets a
// loopback address, because by default it listens on every interface.
type emulator struct {
	cmd     *exec.Cmd
	address string
	log     lockedBuffer
	// ended is closed once the process has ended.
	ended chan struct{}
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// tries bounds how often an emulator is started again because another process has
// taken its port, and portTaken is what it then prints.
const (
	tries     = 5
	portTaken = "address already in use"
)

// ask starts an emulator, sends it one event and stops it. It returns the answer, and
// what the emulator and the function printed.
func (o Options) ask(ctx context.Context, bootstrap string, env []string, payload []byte) (answer []byte, log string, err error) {
	for range tries {
		var em *emulator
		if em, err = startEmulator(ctx, o.Emulator, bootstrap, env); err != nil {
			return nil, "", err
		}
		if err = em.await(ctx); err == nil {
			answer, err = em.invoke(ctx, payload)
		}
		// The process that has taken the port may have answered.
		if log = em.stop(); !strings.Contains(log, portTaken) {
			break
		}
	}
	return answer, log, err
}

func startEmulator(ctx context.Context, binary, bootstrap string, env []string) (*emulator, error) {
	addresses, err := freeAddresses(2)
	if err != nil {
		return nil, err
	}
	own, api := addresses[0], addresses[1]
	e := &emulator{address: own, ended: make(chan struct{})}
	e.cmd = exec.CommandContext(ctx, binary, "--runtime-interface-emulator-address", own, "--runtime-api-address", api, bootstrap)
	e.cmd.Dir = filepath.Dir(bootstrap)
	e.cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local",
		"AWS_REGION=us-east-1", "AWS_LAMBDA_FUNCTION_TIMEOUT=60",
	}, env...)
	e.cmd.Stdout, e.cmd.Stderr = &e.log, &e.log
	if err := e.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the runtime interface emulator: %w", err)
	}
	go func() {
		_ = e.cmd.Wait() // how it ends is in its log
		close(e.ended)
	}()
	return e, nil
}

// freeAddresses returns addresses that nobody listens on. All are opened before any
// is closed, since a port that has just become free may be the next one assigned.
func freeAddresses(n int) (all []string, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer func() { _ = l.Close() }()
		all = append(all, l.Addr().String())
	}
	return all, nil
}

// await waits until the emulator accepts connections.
func (e *emulator) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", e.address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the runtime interface emulator does not listen: %w", ctx.Err())
		case <-e.ended:
			return errors.New("the runtime interface emulator ended before it listened")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (e *emulator) invoke(ctx context.Context, payload []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	url := "http://" + e.address + "/2015-03-31/functions/function/invocations"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("invoke it: %w", err)
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// stop stops the emulator and returns what it and the function printed.
func (e *emulator) stop() string {
	_ = e.cmd.Process.Signal(os.Interrupt)
	select {
	case <-e.ended:
	case <-time.After(3 * time.Second):
		_ = e.cmd.Process.Kill()
		<-e.ended
	}
	return e.log.String()
}

var initReport = regexp.MustCompile(`INIT REPORT\(durationMs: ([0-9.]+)\)`)

// initTime returns how long the function's start took, as the emulator measured it:
// the line INIT REPORT has it, REPORT does not.
func initTime(log string) string {
	if found := initReport.FindStringSubmatch(log); found != nil {
		return found[1]
	}
	return "?"
}
