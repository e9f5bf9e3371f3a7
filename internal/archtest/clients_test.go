package archtest

import (
	"slices"
	"strings"
	"testing"
)

// TestFunctionsLinkTheirClientsOnly: each SDK client costs one to five
// milliseconds of a start, used or not; `make init-time` measures each function
// against an empty one with the clients that it links.
func TestFunctionsLinkTheirClientsOnly(t *testing.T) {
	const service = "github.com/aws/aws-sdk-go-v2/service/"
	// The credentials of the SDK bring these to every function.
	always := []string{"signin", "sso", "ssooidc", "sts"}
	clients := map[string][]string{
		"receipts": {"dynamodb"}, "decide": {"dynamodb", "ssm"}, "page": {"dynamodb", "ssm"},
		"deliver": {"dynamodb", "sesv2", "ssm"}, "sweep": {"dynamodb", "sesv2", "ssm"},
		"heartbeat": {"dynamodb", "sqs", "ssm"}, "poll": {"cloudwatch", "dynamodb", "ssm"},
	}
	for _, p := range packages(t) {
		name, ok := strings.CutPrefix(p.ImportPath, module+"functions/")
		if !ok {
			continue
		}
		var linked []string
		for _, dep := range p.Deps {
			client, ok := strings.CutPrefix(dep, service)
			if ok && !strings.Contains(client, "/") && !slices.Contains(always, client) {
				linked = append(linked, client)
			}
		}
		slices.Sort(linked)
		if !slices.Equal(linked, clients[name]) {
			t.Errorf("%s links the clients %v, want %v", name, linked, clients[name])
		}
	}
}
