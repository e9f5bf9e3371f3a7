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

// classes says what SES's exceptions mean ("SendEmail" in the API reference,
// and "Common errors").
//
// A paused account is temporary: its owner or AWS lifts the pause, often
// within the day that a delivery is tried for. A suspended one is restricted
// for good. MessageRejected holds for the content and the addresses, so that
// sending the same again is in vain. Expired credentials are renewed.
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

// ours are exceptions that say that the function may not send: its role or its
// credentials, which an operator puts right ("Common errors").
var ours = map[string]bool{
	"AccessDeniedException":       true,
	"UnrecognizedClientException": true,
	"InvalidSignatureException":   true,
}

// quotaWait is the longest wait that AWS advises after a throttling error; the
// daily quota, unlike the rate, does not free up in seconds ("Errors related to
// the sending quotas for your Amazon SES account").
const quotaWait = 10 * time.Minute

// outcome is the one place that says what a failed SendEmail means. Of the
// error's text nothing is kept: SES puts addresses into it.
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

// answer is the HTTP answer inside an SDK error, if there was one.
func answer(err error) *http.Response {
	var r *smithyhttp.ResponseError
	if !errors.As(err, &r) || r.Response == nil || r.Response.Response == nil || r.Response.StatusCode == 0 {
		return nil
	}
	return r.Response.Response
}

// unanswered is an error that came from this side or from the way.
func unanswered(err error, out *wire.Request) delivery.Outcome {
	o := out.Outcome(err)
	if o.Code == wire.Failure && strings.Contains(err.Error(), "credentials") {
		o.Code = "no_credentials"
	}
	return o
}

// byStatus judges what the list of exceptions does not know.
func byStatus(status int) (delivery.Class, string) {
	code := "http_" + strconv.Itoa(status)
	switch {
	case status >= 200 && status < 300:
		// Accepted, it seems, but not in a form that the SDK reads.
		return delivery.Ambiguous, "unexpected_answer"
	case status == http.StatusTooManyRequests:
		return delivery.RateLimited, code
	case status >= 500, status == http.StatusRequestTimeout:
		return delivery.Temporary, code
	default:
		return delivery.Permanent, code
	}
}
