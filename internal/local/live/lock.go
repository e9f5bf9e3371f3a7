package live

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lock keeps a second run from using the same state: both would send the same
// messages. The system releases the lock when the process ends, in whatever way.
func lock(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the state directory: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the state directory: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("another run uses the state in %s: end it, or name another directory", dir)
	}
	return func() { f.Close() }, nil
}
