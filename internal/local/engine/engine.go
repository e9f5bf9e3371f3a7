package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Options say what to start. The zero value is the installed engine, with its data in
// memory.
type Options struct {
	// Binary is the engine's path; if empty, Find looks for it from the working
	// directory.
	Binary string
	// DBPath is the file that stores the data over restarts; empty for none.
	DBPath string
	// Log receives what the engine prints; nil discards it.
	Log io.Writer
}

// Engine is a running engine.
type Engine struct {
	// Endpoint is its URL, on loopback.
	Endpoint string

	cmd    *exec.Cmd
	output *output
	exited chan struct{}
	// err is how it exited, valid once exited is closed.
	err error
	// grace is how long it may take to exit after SIGTERM.
	grace time.Duration
}

var errPortTaken = errors.New("the port was taken")

// Start starts an engine on a free port and waits until it answers, or the
// context ends.
func Start(ctx context.Context, o Options) (*Engine, error) {
	binary, err := Find(o.Binary, ".")
	if err != nil {
		return nil, err
	}
	for range 5 {
		var e *Engine
		if e, err = startOnce(ctx, binary, o); err == nil {
			return e, nil
		}
		if !errors.Is(err, errPortTaken) {
			break
		}
	}
	return nil, fmt.Errorf("start the local DynamoDB engine: %w", err)
}

func startOnce(ctx context.Context, binary string, o Options) (*Engine, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "--host", "127.0.0.1", "--port", strconv.Itoa(port)}
	if o.DBPath != "" {
		args = append(args, "--db-path", o.DBPath)
	}
	e := &Engine{
		Endpoint: "http://127.0.0.1:" + strconv.Itoa(port),
		cmd:      exec.Command(binary, args...),
		output:   newOutput(o.Log),
		exited:   make(chan struct{}),
		grace:    5 * time.Second,
	}
	e.cmd.Stdout, e.cmd.Stderr, e.cmd.SysProcAttr = e.output, e.output, childAttributes()
	if err := e.run(); err != nil {
		return nil, err
	}
	if err := e.ready(ctx); err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	return e, nil
}

// freePort asks the system for a free port. Another process may take it before the
// engine does; then Start tries another.
func freePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// ready waits until the engine prints that it listens, and answers. The answer alone
// is not enough: if the port was taken, another process may answer.
func (e *Engine) ready(ctx context.Context) error {
	select {
	case <-e.output.listening:
		return e.answers(ctx)
	case <-e.exited:
		if strings.Contains(e.output.String(), "in use") {
			return errPortTaken
		}
		return fmt.Errorf("it ended at once (%v): %s", e.err, e.output)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *Engine) answers(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.Endpoint, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("it does not answer on %s: %w", e.Endpoint, err)
	}
	return resp.Body.Close()
}

// Exited is closed when the engine has exited, by Stop or on its own.
func (e *Engine) Exited() <-chan struct{} { return e.exited }

// Stop ends the engine, by force if necessary. It is no error if the engine has
// already exited.
func (e *Engine) Stop() error {
	timer := time.NewTimer(e.grace)
	defer timer.Stop()
	if err := e.cmd.Process.Signal(syscall.SIGTERM); err != nil && !ended(err) {
		return fmt.Errorf("stop the local DynamoDB engine: %w", err)
	}
	select {
	case <-e.exited:
		return nil
	case <-timer.C:
	}
	// The whole group, since its child processes hold its output open.
	if err := syscall.Kill(-e.cmd.Process.Pid, syscall.SIGKILL); err != nil && !ended(err) {
		return fmt.Errorf("kill the local DynamoDB engine: %w", err)
	}
	<-e.exited
	return nil
}
