package lambdaruntime

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"
)

const asParent = "LAMBDARUNTIME_TEST_PARENT"

// TestMainAsParent is not a test by itself: started by the next one, it is a
// parent that invokes a function which never answers.
func TestMainAsParent(t *testing.T) {
	address := os.Getenv(asParent)
	if address == "" {
		t.Skip("only run by TestFunctionsDieWithTheirParent")
	}
	f := &Function{Name: "orphan", Binary: probeBinary, Timeout: 1 << 40}
	_, err := f.Invoke(context.Background(), ask("dial", address))
	t.Fatal("the function ended:", err)
}

func TestFunctionsDieWithTheirParent(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	parent := exec.Command(os.Args[0], "-test.run=^TestMainAsParent$")
	parent.Env = append(os.Environ(), asParent+"="+listener.Addr().String(), probeEnv+"="+probeBinary)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	function, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	parent.Process.Kill()
	parent.Wait()
	// The read ends only when the function's process does.
	if _, err := io.ReadAll(function); err != nil {
		t.Logf("the function's connection ended with %v", err)
	}
}
