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
	"sync"
	"time"
)

// startWithin bounds the emulator's start, and answerWithin an invocation.
const (
	startWithin  = 30 * time.Second
	answerWithin = 90 * time.Second
)

// emulator is one process of the emulator. It takes one invocation at a time,
// and its default address is every interface: it is given one on loopback.
type emulator struct {
	cmd     *exec.Cmd
	address string
	log     lockedBuffer
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

func startEmulator(ctx context.Context, binary, bootstrap string, env []string) (*emulator, error) {
	own, err := freeAddress()
	if err != nil {
		return nil, err
	}
	api, err := freeAddress()
	if err != nil {
		return nil, err
	}
	e := &emulator{address: own}
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
	return e, e.await(ctx)
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// await waits until the emulator takes connections.
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
			return errors.Join(fmt.Errorf("the runtime interface emulator does not listen:\n%s", e.stop()), ctx.Err())
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

// stop ends the emulator and returns what it and the function printed.
func (e *emulator) stop() string {
	_ = e.cmd.Process.Signal(os.Interrupt)
	done := make(chan struct{})
	go func() {
		_ = e.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(3 * time.Second):
		_ = e.cmd.Process.Kill()
		<-done
	}
	return e.log.String()
}

var initReport = regexp.MustCompile(`INIT REPORT\(durationMs: ([0-9.]+)\)`)

// initTime is how long the function's start took, by the emulator's own word:
// the line INIT REPORT has it, REPORT does not.
func initTime(log string) string {
	if found := initReport.FindStringSubmatch(log); found != nil {
		return found[1]
	}
	return "?"
}
