package lambdaruntime

import "syscall"

// childAttributes puts a child in a process group of its own, so that Ctrl-C on a
// terminal reaches only us, and ends it when we end, in whatever way.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
