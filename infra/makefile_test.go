package infra_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// `make help` lists every target that is for people: all but those that are
// files.
func TestHelpListsEveryTarget(t *testing.T) {
	content, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("make", "--no-print-directory", "-C", "..", "help")
	help, err := command.Output()
	if err != nil {
		t.Fatalf("make help: %v", err)
	}
	targets := regexp.MustCompile(`(?m)^([a-z][A-Za-z%-]*):`).FindAllStringSubmatch(string(content), -1)
	if len(targets) < 25 {
		t.Fatalf("only %d targets were seen", len(targets))
	}
	for _, m := range targets {
		if !strings.Contains(string(help), "  make "+m[1]+" ") {
			t.Errorf("make help does not list %s", m[1])
		}
	}
}
