package infra_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/template"
)

// longest is how many characters AWS lets a name have, each from its service's API
// reference; Name is a configuration set's.
var longest = map[string]int{
	"FunctionName": 64, "Name": 64, "QueueName": 80, "TableName": 255, "AlarmName": 255, "DashboardName": 255,
	"TopicName": 256, "LogGroupName": 512,
}

// longestStack is how long a stack's name may be, so that each name that is made
// of it is one that AWS takes.
const longestStack = 54

func TestNamesOfALongStackAreNotTooLong(t *testing.T) {
	parsed, err := template.Load(templatePath)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Repeat("s", longestStack)
	s, err := parsed.Stack(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	room := 1000
	for _, r := range s.Resources("") {
		for property, most := range longest {
			text, ok := r.Properties[property].(string)
			if ok && strings.HasPrefix(text, name) {
				room = min(room, most-len(text))
			}
		}
	}
	if room != 0 {
		t.Errorf("the longest names of a stack whose own has %d characters have room for %d more", longestStack, room)
	}
}

// A stack that AWS would only refuse half-way leaves its tables behind.
func TestDeployRefusesNamesThatNoStackCanHave(t *testing.T) {
	for name, good := range map[string]bool{
		"ringonce-production": true, strings.Repeat("s", longestStack): true, strings.Repeat("s", longestStack+1): false,
		"1st": false, "ring_once": false, "ring once": false, "": false,
	} {
		out, err := exec.Command("make", "--no-print-directory", "-C", "..", "check-stack", "STACK="+name).CombinedOutput()
		if (err == nil) != good || (!good && !strings.Contains(string(out), "54")) {
			t.Errorf("%q: %v\n%s", name, err, out)
		}
	}
	first, _, _ := strings.Cut(strings.SplitN(read(t, "../Makefile"), "\ndeploy: ", 2)[1], " ")
	if first != "check-stack" {
		t.Errorf("make deploy begins with %s", first)
	}
}
