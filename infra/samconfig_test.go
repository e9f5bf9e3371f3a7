package infra_test

import (
	"os"
	"regexp"
	"testing"
)

// The example of what `sam deploy` is to know names parameters that there are,
// with values that they take.
func TestTheExampleOfSamsConfigurationFits(t *testing.T) {
	content, err := os.ReadFile("samconfig.toml.example")
	if err != nil {
		t.Fatal(err)
	}
	overrides := regexp.MustCompile(`(?m)^ +"(\w+)=([^"]*)",$`).FindAllStringSubmatch(string(content), -1)
	if len(overrides) < 10 {
		t.Fatalf("only %d parameters", len(overrides))
	}
	all := parameters(t, templatePath)
	for _, o := range overrides {
		p, ok := all[o[1]]
		if !ok {
			t.Errorf("the template has no parameter %s", o[1])
			continue
		}
		if pattern, bounded := p["AllowedPattern"].(string); bounded && !regexp.MustCompile("^(?:"+pattern+")$").MatchString(o[2]) {
			t.Errorf("%s does not take %q", o[1], o[2])
		}
	}
}
