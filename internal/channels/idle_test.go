package channels

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"github.com/ringonce/ringonce/internal/ses"
	"github.com/ringonce/ringonce/internal/wire"
)

// case D5: no sender takes a connection that may be gone.
func TestNoSenderTakesAnIdleConnection(t *testing.T) {
	shared := awshttp.NewBuildableClient().WithTimeout(wire.Idle).WithTransportOptions(func(t *http.Transport) {
		t.ResponseHeaderTimeout = time.Second
	})
	cfg := aws.Config{Region: "eu-central-1", HTTPClient: shared}
	mails := sesv2.NewFromConfig(cfg, forMails).Options().HTTPClient.(*awshttp.BuildableClient)
	if idle := mails.GetTransport().IdleConnTimeout; idle != wire.Idle || mails.GetTimeout() != wire.Idle {
		t.Errorf("mails take connections that were idle for %s, and may take %s", idle, mails.GetTimeout())
	}
	// The bound of all AWS clients is shorter, and would make a doubtful delivery of a
	// slow one.
	if wait := mails.GetTransport().ResponseHeaderTimeout; wait != ses.Timeout {
		t.Errorf("mails wait %s for an answer", wait)
	}
	content, err := os.ReadFile("deliverer.go")
	if err != nil {
		t.Fatal(err)
	}
	if code := string(content); !strings.Contains(code, "wire.Transport()") || strings.Contains(code, "DefaultTransport") {
		t.Error("the others do not send over wire.Transport")
	}
}
