package archtest

import (
	"slices"
	"strings"
	"testing"
)

// layer is a kind of package. A package may import its own tree, and the
// layers that its own names; other modules only where outside says so.
type layer struct {
	name string
	// packages are folders below internal, with all that is below them.
	packages []string
	imports  []string
	// outside are the other modules that may be imported; "*" is any.
	outside []string
}

const (
	domain  = "domain"
	redact  = "redact"
	config  = "config"
	wire    = "wire"
	adapter = "adapter"
	usecase = "use case"
	wiring  = "wiring"
	support = "test support"
)

// layers is the architecture, from the inside out. Every package is in it.
var layers = []layer{
	{domain, []string{"observation", "incident", "notice", "delivery", "silence", "backoff"}, []string{domain}, nil},
	{redact, []string{"redact"}, nil, nil},
	{config, []string{"config"}, []string{domain}, []string{"go.yaml.in/yaml/v3"}},
	{usecase, []string{"poll", "decide", "deliver", "receipts", "heartbeat", "replay", "explain", "report", "smoke", "pages"}, []string{domain, config, redact}, nil},
	// wire is what the senders have in common.
	{wire, []string{"wire"}, []string{domain, redact}, nil},
	{adapter, []string{"source", "slack", "ses", "pagerduty", "webhook", "dynamo", "memory", "streamevent", "secret", "emf", "deadman"}, []string{domain, config, redact, wire}, []string{"*"}},
	{wiring, []string{"setup", "channels", "local", "cmd"}, []string{domain, redact, config, usecase, wire, adapter, wiring}, []string{"*"}},
	// Named so that a reader of an import sees that it belongs to a test.
	{support, []string{"archtest", "storetest", "sendertest", "scenario", "faults", "infra", "browsertest"}, []string{domain, redact, config, usecase, wire, adapter, wiring, support}, []string{"*"}},
}

// layerOf returns the layer of a package of this module and the folder that
// puts it there.
func layerOf(path string) (layer, string, bool) {
	name := strings.TrimPrefix(path, module)
	if strings.HasPrefix(name, "functions/") {
		name = "internal/cmd/" + name // each is wiring, like the command
	}
	name = strings.TrimPrefix(name, "internal/")
	folder, _, _ := strings.Cut(name, "/")
	for _, l := range layers {
		if slices.Contains(l.packages, folder) {
			return l, folder, true
		}
	}
	return layer{}, "", false
}

func TestEveryPackageHasALayer(t *testing.T) {
	for _, p := range packages(t) {
		if _, _, ok := layerOf(p.ImportPath); !ok {
			t.Errorf("%s is in no layer: put it into the table in layers_test.go, or into another package", p.ImportPath)
		}
	}
}

func TestImportsFollowTheArrows(t *testing.T) {
	for _, p := range packages(t) {
		from, folder, ok := layerOf(p.ImportPath)
		if !ok {
			continue // reported above
		}
		for _, path := range p.Imports {
			if why := forbidden(from, folder, path); why != "" {
				t.Errorf("%s (%s) imports %s: %s", p.ImportPath, from.name, path, why)
			}
		}
	}
}

// forbidden says why a package may not import another; "" when it may.
func forbidden(from layer, folder, path string) string {
	if !strings.HasPrefix(path, module) {
		if isStandard(path) || slices.Contains(from.outside, "*") || slices.Contains(from.outside, path) {
			return ""
		}
		return "this layer stands on the standard library"
	}
	to, toFolder, ok := layerOf(path)
	switch {
	case !ok || toFolder == folder:
		return ""
	case !slices.Contains(from.imports, to.name):
		return "that is " + to.name + ", which is not inside of it"
	default:
		return ""
	}
}

// isStandard: paths of the standard library have no dot in their first part.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// TestForbiddenKnowsTheArrows holds the rule itself to examples.
func TestForbiddenKnowsTheArrows(t *testing.T) {
	for _, c := range []struct {
		from, to string
		allowed  bool
	}{
		{"internal/incident", "time", true},
		{"internal/incident", module + "internal/observation", true},
		{"internal/incident", module + "internal/config", false},
		{"internal/incident", "github.com/aws/smithy-go", false},
		{"internal/redact", module + "internal/observation", false},
		{"internal/config", "go.yaml.in/yaml/v3", true},
		{"internal/config", "github.com/itchyny/gojq", false},
		{"internal/decide", module + "internal/config", true},
		{"internal/decide", module + "internal/dynamo", false},
		{"internal/decide", module + "internal/poll", false},
		{"internal/dynamo", module + "internal/slack", false},
		{"internal/dynamo", module + "internal/decide", false},
		{"internal/dynamo", "github.com/aws/aws-sdk-go-v2/service/dynamodb", true},
		{"internal/slack", module + "internal/setup", false},
		{"internal/source", module + "internal/source/preset", true},
		{"functions/poll", module + "internal/source", true},
		{"functions/poll", module + "internal/poll", true},
		{"functions/poll", module + "internal/storetest", false},
		{"internal/cmd/ringonce", module + "internal/local/engine", true},
	} {
		from, folder, ok := layerOf(module + c.from)
		if !ok {
			t.Fatalf("%s is in no layer", c.from)
		}
		if why := forbidden(from, folder, c.to); (why == "") != c.allowed {
			t.Errorf("%s imports %s: %q, want allowed %v", c.from, c.to, why, c.allowed)
		}
	}
}
