package lambdaruntime

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"
)

const (
	// initLimit is how long a process may take to ask for its first work. AWS
	// gives ten seconds; a busy machine gets more.
	initLimit = 30 * time.Second
	// stopGrace is how long a process may take to follow a SIGTERM.
	stopGrace = 2 * time.Second
)

// process is one child with a Runtime API of its own, so that every call to
// the API is known to come from this child.
type process struct {
	function string
	arn      string
	cmd      *exec.Cmd
	server   *http.Server

	// work hands over an invocation while the child waits for one.
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
	p.cmd = exec.Command(f.Binary)
	p.cmd.Dir = filepath.Dir(f.Binary)
	p.cmd.Env = f.environment(listener.Addr().String())
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

// run starts the child and waits for its end. It stays on one thread, and lets
// that thread end with it: the signal that ends a child with its parent is
// sent, on Linux, when the parent's *thread* ends (prctl(2), PR_SET_PDEATHSIG).
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

// give hands the invocation to the child as soon as it asks for work.
func (p *process) give(inv *invocation) error {
	limit := time.NewTimer(initLimit)
	defer limit.Stop()
	select {
	case p.work <- inv:
		return nil
	case err := <-p.initError:
		return err
	case <-limit.C:
		return &TimeoutError{Function: p.function, After: initLimit, Init: true}
	case <-p.exited:
	}
	select {
	case err := <-p.initError:
		return err
	default:
		return &ExitError{Function: p.function, State: p.state}
	}
}

// await returns how an invocation that the child has taken ends.
func (p *process) await(inv *invocation) outcome {
	timer := time.NewTimer(time.Until(<-inv.taken))
	defer timer.Stop()
	select {
	case o := <-inv.result:
		return o
	case <-timer.C:
		p.kill()
		return outcome{err: &TimeoutError{Function: p.function, After: inv.timeout}}
	case <-p.exited:
	}
	select {
	case o := <-inv.result:
		return o
	default:
		return outcome{err: &ExitError{Function: p.function, State: p.state}}
	}
}

// asksAgain waits until the child asks for more work, and returns false if it
// ends instead, as it does after a panic, or takes longer than an invocation
// may.
func (p *process) asksAgain(inv *invocation) bool {
	timer := time.NewTimer(inv.timeout)
	defer timer.Stop()
	select {
	case <-p.exited:
		return false
	case <-timer.C:
		return false
	case <-p.asked:
		return true
	}
}

// kill ends the child and everything it started.
func (p *process) kill() { p.signal(syscall.SIGKILL) }

// stop asks the child to end, and ends it if it does not.
func (p *process) stop() {
	p.signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(stopGrace):
		p.kill()
		<-p.exited
	}
}

// signal reaches the child's process group, which has the child's id.
func (p *process) signal(s syscall.Signal) {
	select {
	case <-p.exited:
	default:
		syscall.Kill(-p.cmd.Process.Pid, s)
	}
}
