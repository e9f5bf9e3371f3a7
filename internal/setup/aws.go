package setup

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
)

// How AWS is called. AWS's own services answer in milliseconds from within a region;
// the limits cut off a connection that hangs, and leave an invocation the time to
// retry.
const (
	connectTimeout = 3 * time.Second
	answerTimeout  = 10 * time.Second
	callTimeout    = 20 * time.Second
	attempts       = 4
	maxBackoff     = 2 * time.Second
	// connections is how many connections to one service are kept open, so that as
	// many calls run at once without reconnecting.
	connections = 64
)

// AWS loads what SDK clients need: region, credentials and endpoints, from the SDK's
// own variables and files.
func AWS(ctx context.Context) (aws.Config, error) {
	cfg, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(httpClient()), config.WithRetryer(newRetryer))
	if err != nil {
		return aws.Config{}, fmt.Errorf("load the AWS configuration: %w", err)
	}
	if cfg.Region == "" {
		return aws.Config{}, errors.New("there is no AWS region: set AWS_REGION")
	}
	return cfg, nil
}

func httpClient() *awshttp.BuildableClient {
	return awshttp.NewBuildableClient().
		WithTimeout(callTimeout).
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = connectTimeout }).
		WithTransportOptions(func(t *http.Transport) {
			t.TLSHandshakeTimeout = connectTimeout
			t.ResponseHeaderTimeout = answerTimeout
			t.MaxIdleConnsPerHost = connections
		})
}

func newRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = attempts
		o.MaxBackoff = maxBackoff
	})
}
