package lambdaruntime

import (
	"syscall"
	"time"
)

// stopGrace is how long a process may take to exit after a SIGTERM.
const stopGrace = 2 * time.Second

// kill ends the child and everything it started.
func (p *process) kill() { p.signal(syscall.SIGKILL) }

// stop asks the child to exit, and kills it if it does not.
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
