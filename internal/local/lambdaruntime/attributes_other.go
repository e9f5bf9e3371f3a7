//go:build !linux

package lambdaruntime

import "syscall"

// childAttributes puts a child in a process group of its own, so that Ctrl-C
// on a terminal reaches only us. A child whose parent was killed ends by
// itself here: its runtime API is gone.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
