package config

import (
	"slices"
	"testing"
)

func TestSecretsThatAreReadAhead(t *testing.T) {
	c := &Config{
		Sources: []Source{
			{Request: Request{Bearer: "ssm:/b", Headers: map[string]string{"X-Key": "env:A", "Accept": "text/plain"}}},
			{Request: Request{BasicUser: "me", BasicPassword: "file:/p", Bearer: "ssm:/b"}},
		},
		Destinations: map[string]Destination{
			"slack": {ID: "slack", WebhookURL: "ssm:/w"}, "mail": {From: "a@example.com", To: []string{"b@example.com"}},
		},
	}
	if got := c.SourceSecrets(); !slices.Equal(got, []string{"env:A", "file:/p", "ssm:/b"}) {
		t.Errorf("sources: %v", got)
	}
	if got := c.DestinationSecrets(); !slices.Equal(got, []string{"ssm:/w"}) {
		t.Errorf("destinations: %v", got)
	}
}
