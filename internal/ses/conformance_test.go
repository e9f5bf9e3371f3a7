package ses_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/local/inbox"
	"github.com/ringonce/ringonce/internal/sendertest"
	"github.com/ringonce/ringonce/internal/ses"
	"github.com/ringonce/ringonce/internal/ses/api"
)

const (
	from = "alerts@secret-sender.example.com"
	to   = "oncall@secret-recipient.example.com"
	id   = "d1-0f59bfd88fc9759ef654"
)

// now is when the tests' Retry-After dates are read.
func now() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

// client is the SDK's own client, as a function has it, retries and all.
func client(base string, via http.RoundTripper) api.Client {
	cfg := aws.Config{
		Region: "eu-central-1", BaseEndpoint: aws.String(base), RetryMaxAttempts: 5,
		Credentials: credentials.NewStaticCredentialsProvider("AKIDSECRET", "s3cr3tk3y", ""),
	}
	if via != nil {
		cfg.HTTPClient = &http.Client{Transport: via}
	} else {
		cfg.HTTPClient = awshttp.NewBuildableClient()
	}
	return api.New(sesv2.NewFromConfig(cfg))
}

func sender(base string, via http.RoundTripper) sendertest.Send {
	s := ses.NewSender(client(base, via), now)
	return func(ctx context.Context, p []byte) delivery.Outcome { return s.Send(ctx, p, from, []string{to}, id) }
}

func start(t testing.TB) *inbox.Inbox {
	t.Helper()
	box, err := inbox.Start(inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	return box
}

func TestConformance(t *testing.T) {
	sendertest.Run(t, sendertest.Channel{
		Render:  ses.Render,
		Sender:  func(_ testing.TB, base string, via http.RoundTripper) sendertest.Send { return sender(base, via) },
		Strict:  func(t testing.TB) sendertest.Send { return sender(start(t).SESEndpoint(), nil) },
		Secrets: []string{"secret-sender", "secret-recipient", "AKIDSECRET", "s3cr3tk3y"},
		Answers: answers(),
	})
}

func misconfigured(a sendertest.Answer) sendertest.Answer {
	a.Want.Misconfigured = true
	return a
}

func answers() []sendertest.Answer {
	permanent, temporary, limited := delivery.Permanent, delivery.Temporary, delivery.RateLimited
	refuse := func(status int, name, message string, class delivery.Class, wait time.Duration) sendertest.Answer {
		return sendertest.Answer{
			Name: name + " " + message, Status: status, Header: map[string]string{"X-Amzn-ErrorType": name},
			Body: `{"message":"` + message + `"}`,
			Want: delivery.Outcome{Class: class, Status: status, Code: name, RetryAfter: wait},
		}
	}
	limitedFor := refuse(429, "TooManyRequestsException", "", limited, 30*time.Second)
	limitedFor.Header["Retry-After"], limitedFor.Name = "30", "rate, seconds"
	is := sendertest.Expect
	return []sendertest.Answer{
		is("accepted", 200, nil, `{"MessageId":"010f"}`,
			delivery.Outcome{Class: delivery.Accepted, Status: 200, ProviderID: "010f"}),
		is("200 that cannot be read", 200, nil, `<html>`, delivery.Outcome{Class: delivery.Ambiguous, Status: 200, Code: "unexpected_answer"}),
		limitedFor,
		refuse(429, "TooManyRequestsException", "slow down", limited, 0),
		refuse(400, "ThrottlingException", "Maximum sending rate exceeded.", limited, 0),
		refuse(400, "ThrottlingException", "Daily message quota exceeded.", limited, 10*time.Minute),
		refuse(400, "LimitExceededException", "too many", temporary, 0),
		refuse(400, "SendingPausedException", "paused", temporary, 0),
		refuse(403, "ExpiredTokenException", "expired", temporary, 0),
		refuse(500, "InternalServiceErrorException", "oops", temporary, 0),
		refuse(400, "AccountSuspendedException", "restricted", permanent, 0),
		refuse(400, "MailFromDomainNotVerifiedException", "domain", permanent, 0),
		refuse(400, "MessageRejected", "Email address is not verified: "+to, permanent, 0),
		refuse(404, "NotFoundException", "no such configuration set", permanent, 0),
		refuse(400, "BadRequestException", "Illegal address "+to, permanent, 0),
		misconfigured(refuse(403, "AccessDeniedException", "not authorized to send as "+from, temporary, 5*time.Minute)),
		misconfigured(refuse(403, "UnrecognizedClientException", "The security token is invalid", temporary, 5*time.Minute)),
		misconfigured(refuse(403, "InvalidSignatureException", "The signature does not match", temporary, 5*time.Minute)),
		is("unknown refusal", 418, map[string]string{"X-Amzn-ErrorType": "Teapot" + to}, `{}`,
			delivery.Outcome{Class: permanent, Status: 418, Code: "http_418"}),
		is("gateway", 502, nil, `<html>bad gateway</html>`, delivery.Outcome{Class: temporary, Status: 502, Code: "http_502"}),
	}
}
