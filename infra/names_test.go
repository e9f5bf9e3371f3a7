package infra_test

import (
	"os"
	"os/exec"
	"slices"
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
	if !strings.Contains(read(t, "../Makefile"), "\ndeploy: check-stack check-config sam-build ") {
		t.Error("make deploy builds before it checks")
	}
}

// An upgrade that forgot to say CONFIG would put the example in the place of what
// is deployed.
func TestDeployWantsToBeToldItsConfiguration(t *testing.T) {
	for _, tt := range []struct {
		args []string
		good bool
	}{{nil, false}, {[]string{"CONFIG=infra/ringonce.yaml"}, true}, {[]string{"CONFIG=my.yaml"}, true}} {
		cmd := exec.Command("make", append([]string{"--no-print-directory", "-C", "..", "check-config"}, tt.args...)...)
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "CONFIG=") || strings.HasPrefix(v, "MAKE") })
		out, err := cmd.CombinedOutput()
		if (err == nil) != tt.good || (!tt.good && !strings.Contains(string(out), "CONFIG=my.yaml")) {
			t.Errorf("%v: %v\n%s", tt.args, err, out)
		}
	}
}
