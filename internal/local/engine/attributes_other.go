//go:build unix && !linux

package engine

import "syscall"

// childAttributes puts the engine in a process group of its own, so that Ctrl-C on a
// terminal reaches only us. If we are killed, it keeps running.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
