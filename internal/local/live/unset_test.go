package live

import (
	"slices"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
)

func TestUnsetNamesEachVariableThatASecretNeeds(t *testing.T) {
	cfg := &config.Config{
		Destinations: map[string]config.Destination{
			"a": {ID: "a", WebhookURL: "env:HOOK"}, "b": {ID: "b", WebhookURL: "env:HOOK"},
			"c": {ID: "c", URL: "https://env.example.com", SigningSecret: "env:EMPTY"}, "d": {ID: "d", WebhookURL: "ssm:/d"}, "e": {ID: "e", WebhookURL: "file:/e"},
		},
		Sources: []config.Source{{ID: "s", Request: config.Request{Bearer: "env:TOKEN"}}, {ID: "t", Request: config.Request{Bearer: "env:SET"}}},
	}
	got := unset(cfg, []string{"SET=x", "EMPTY=", "HOOKS=x", "PATH=/bin"})
	if want := []string{"EMPTY", "HOOK", "TOKEN"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := unset(cfg, []string{"SET=x", "EMPTY=", "EMPTY=y", "HOOK=x", "TOKEN=a=b"}); len(got) > 0 {
		t.Errorf("all are set, and it names %q", got)
	}
}
