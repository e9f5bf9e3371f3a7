package ses

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/ringonce/ringonce/internal/backoff"
	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// classes maps SES's exceptions to delivery classes ("SendEmail" in the API
// reference, and "Common errors").
//
// A paused account is temporary: its owner or AWS lifts the pause, often within the
// day for which a delivery is tried. A suspended account is restricted for good.
// MessageRejected is about the content and the addresses, so that sending the same
// again is in vain. Expired credentials are renewed.
var classes = map[string]delivery.Class{
	"TooManyRequestsException": delivery.RateLimited,
	"ThrottlingException":      delivery.RateLimited,
	"Throttling":               delivery.RateLimited,
	"RequestLimitExceeded":     delivery.RateLimited,

	"LimitExceededException":        delivery.Temporary,
	"SendingPausedException":        delivery.Temporary,
	"InternalServiceErrorException": delivery.Temporary,
	"InternalFailure":               delivery.Temporary,
	"ServiceUnavailable":            delivery.Temporary,
	"ExpiredTokenException":         delivery.Temporary,
	"RequestExpired":                delivery.Temporary,
	"RequestTimeout":                delivery.Temporary,

	"AccountSuspendedException":          delivery.Permanent,
	"MailFromDomainNotVerifiedException": delivery.Permanent,
	"MessageRejected":                    delivery.Permanent,
	"NotFoundException":                  delivery.Permanent,
	"BadRequestException":                delivery.Permanent,
}

// ours are the exceptions that say that the function may not send, because of its
// role or its credentials, which an operator fixes ("Common errors").
var ours = map[string]bool{
	"AccessDeniedException":       true,
	"UnrecognizedClientException": true,
	"InvalidSignatureException":   true,
}

// quotaWait is the longest wait that AWS advises after a throttling error; the daily
// quota, unlike the rate, does not free up in seconds ("Errors related to the sending
// quotas for your Amazon SES account").
const quotaWait = 10 * time.Minute

// outcome is the only place that maps a failed SendEmail to an outcome. It keeps
// nothing of the error's text, since SES puts addresses into it.
func outcome(err error, out *wire.Request, now time.Time) delivery.Outcome {
	resp := answer(err)
	if resp == nil {
		return unanswered(err, out)
	}
	o := delivery.Outcome{Status: resp.StatusCode}
	var api smithy.APIError
	if errors.As(err, &api) {
		if ours[api.ErrorCode()] {
			return delivery.Misconfiguration(o.Status, api.ErrorCode())
		}
		o.Class, o.Code = classes[api.ErrorCode()], api.ErrorCode()
	}
	if o.Class == "" {
		o.Class, o.Code = byStatus(resp.StatusCode)
	}
	if o.Class == delivery.RateLimited {
		o.RetryAfter, _ = backoff.RetryAfter(resp.Header.Get("Retry-After"), now)
		if strings.Contains(err.Error(), "message quota exceeded") {
			o.RetryAfter = max(o.RetryAfter, quotaWait)
		}
	}
	return o
}

// answer returns the HTTP response inside an SDK error, if any.
func answer(err error) *http.Response {
	var r *smithyhttp.ResponseError
	if !errors.As(err, &r) || r.Response == nil || r.Response.Response == nil || r.Response.StatusCode == 0 {
		return nil
	}
	return r.Response.Response
}

// unanswered returns the outcome of an error on this side or in the network.
func unanswered(err error, out *wire.Request) delivery.Outcome {
	o := out.Outcome(err)
	if o.Code == wire.Failure && strings.Contains(err.Error(), "credentials") {
		o.Code = "no_credentials"
	}
	return o
}

// byStatus classifies exceptions that classes does not list.
func byStatus(status int) (delivery.Class, string) {
	code := "http_" + strconv.Itoa(status)
	switch {
	case status >= 200 && status < 300:
		// Probably accepted, but in a form that the SDK cannot read.
		return delivery.Ambiguous, "unexpected_answer"
	case status == http.StatusTooManyRequests:
		return delivery.RateLimited, code
	case status >= 500, status == http.StatusRequestTimeout:
		return delivery.Temporary, code
	default:
		return delivery.Permanent, code
	}
}
