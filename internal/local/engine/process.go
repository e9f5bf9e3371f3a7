package engine

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// run starts the process and waits for its end in the background, both on one
// operating system thread: on a system that ends a child with its parent, the parent
// is the thread that started it.
func (e *Engine) run() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := e.cmd.Start()
		started <- err
		if err == nil {
			e.err = e.cmd.Wait()
		}
		close(e.exited)
	}()
	return <-started
}

func ended(err error) bool {
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
}
