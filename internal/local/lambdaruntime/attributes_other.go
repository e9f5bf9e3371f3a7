//go:build !linux

package lambdaruntime

import "syscall"

// childAttributes puts a child in a process group of its own, so that Ctrl-C on a
// terminal reaches only us. If we are killed, the child exits on its own, since its
// Runtime API is gone.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
