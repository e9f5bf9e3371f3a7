package lambdaruntime

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// process is one child with a Runtime API of its own, so that every call to
// the API is known to come from this child.
type process struct {
	function string
	arn      string
	cmd      *exec.Cmd
	server   *http.Server

	// work passes on an invocation while the child waits for one.
	work chan *invocation
	// asked holds a token from the child's call for work until the call is
	// answered, or until asksAgain has seen it.
	asked chan struct{}
	// initError carries what the child reported about its start.
	initError chan error
	// exited is closed when the child is gone; state then says how it ended.
	exited chan struct{}
	state  string

	mu      sync.Mutex
	current *invocation
}

// start starts a child and its Runtime API.
func (f *Function) start() (*process, error) {
	// A relative path would start at the child's own directory.
	binary, err := filepath.Abs(f.Binary)
	if err != nil {
		return nil, fmt.Errorf("function %s: %w", f.Name, err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("function %s: cannot serve its runtime API on loopback: %w", f.Name, err)
	}
	p := &process{
		function:  f.Name,
		arn:       f.ARN(),
		work:      make(chan *invocation),
		asked:     make(chan struct{}, 1),
		initError: make(chan error, 1),
		exited:    make(chan struct{}),
	}
	p.server = &http.Server{Handler: p.routes()}
	go p.server.Serve(listener)
	p.cmd = exec.Command(binary)
	p.cmd.Dir = filepath.Dir(binary)
	p.cmd.Env = f.environment(binary, listener.Addr().String())
	p.cmd.SysProcAttr = childAttributes()
	p.cmd.WaitDelay = stopGrace
	started := make(chan error)
	go p.run(f.Output, started)
	if err := <-started; err != nil {
		p.server.Close()
		return nil, &ExitError{Function: f.Name, State: "cannot start " + filepath.Base(f.Binary) + ": " + err.Error()}
	}
	return p, nil
}

// run starts the child and waits for its end. It stays on one thread, and lets that
// thread end with the child: on Linux, the signal that ends a child with its parent
// is sent when the parent's *thread* ends (prctl(2), PR_SET_PDEATHSIG).
func (p *process) run(output func(Line), started chan<- error) {
	runtime.LockOSThread()
	out := newLines(p.function, output)
	errs := newLines(p.function, output)
	p.cmd.Stdout, p.cmd.Stderr = out, errs
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	out.open(p.cmd.Process.Pid)
	errs.open(p.cmd.Process.Pid)
	started <- nil
	p.cmd.Wait()
	p.state = p.cmd.ProcessState.String()
	out.flush()
	errs.flush()
	close(p.exited)
}
