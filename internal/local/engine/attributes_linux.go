package engine

import "syscall"

// childAttributes puts the engine in a process group of its own, so that Ctrl-C on a
// terminal reaches only us, and ends it with us even if we are killed.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
