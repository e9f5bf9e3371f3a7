package channels

import (
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"github.com/ringonce/ringonce/internal/wire"
)

// case D5: no sender takes a connection that may be gone.
func TestNoSenderTakesAnIdleConnection(t *testing.T) {
	cfg := aws.Config{Region: "eu-central-1", HTTPClient: awshttp.NewBuildableClient().WithTimeout(wire.Idle)}
	mails := sesv2.NewFromConfig(cfg, unlessIdle).Options().HTTPClient.(*awshttp.BuildableClient)
	if idle := mails.GetTransport().IdleConnTimeout; idle != wire.Idle || mails.GetTimeout() != wire.Idle {
		t.Errorf("mails take connections that were idle for %s, and may take %s", idle, mails.GetTimeout())
	}
	content, err := os.ReadFile("deliverer.go")
	if err != nil {
		t.Fatal(err)
	}
	if code := string(content); !strings.Contains(code, "wire.Transport()") || strings.Contains(code, "DefaultTransport") {
		t.Error("the others do not send over wire.Transport")
	}
}
