package invoke

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// fakeEmulator makes this test the emulator, in a process of its own. Its value
// names a file that the first process leaves behind: that one finds its port taken.
const fakeEmulator = "RINGONCE_TEST_EMULATOR"

func TestMain(m *testing.M) {
	if mark := os.Getenv(fakeEmulator); mark != "" {
		emulate(mark, os.Args[2])
	}
	os.Exit(m.Run())
}

func emulate(mark, address string) {
	if _, err := os.Stat(mark); err != nil {
		fmt.Println("listen tcp 127.0.0.1:40000: bind: address already in use", os.WriteFile(mark, nil, 0o600))
		os.Exit(2)
	}
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("null")) })
	fmt.Println(http.ListenAndServe(address, answer)) // until it is killed
	os.Exit(1)
}

// A port is free until somebody else takes it, which is no word of the function's.
func TestATakenPortIsTriedAgain(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "taken")
	o := Options{Emulator: os.Args[0]}
	answer, log, err := o.ask(t.Context(), filepath.Join(t.TempDir(), "bootstrap"), []string{fakeEmulator + "=" + mark}, []byte("{}"))
	if err != nil || string(answer) != "null" {
		t.Errorf("answered %q, %v: %s", answer, err, log)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("no port was taken: %v", err)
	}
}

// The ports of one emulator are two, each time.
func TestFreeAddressesDiffer(t *testing.T) {
	for range 10 {
		all, err := freeAddresses(10)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, a := range all {
			if seen[a] {
				t.Fatalf("%s is there twice", a)
			}
			seen[a] = true
		}
	}
}
