// Package cloudwatch lets a source read CloudWatch's alarms. CloudWatch's API is
// binary and signed, not JSON over plain HTTP. So this package answers a source's
// request to monitoring.REGION.amazonaws.com with the SDK's result, as the JSON that
// the AWS CLI prints; paging, mapping, limits and redaction are the source engine's
// own.
package cloudwatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/smithy-go"
)

// API is the part of CloudWatch's API that a Transport calls.
type API interface {
	DescribeAlarms(context.Context, *cloudwatch.DescribeAlarmsInput, ...func(*cloudwatch.Options)) (*cloudwatch.DescribeAlarmsOutput, error)
}

// Transport answers requests for the alarms of a region.
type Transport struct {
	// Client returns the client of a region.
	Client func(region string) API
}

// New returns a Transport that asks AWS with the credentials of a configuration.
func New(cfg aws.Config) *Transport {
	return &Transport{Client: func(region string) API {
		return cloudwatch.NewFromConfig(cfg, func(o *cloudwatch.Options) { o.Region = region })
	}}
}

// endpoint matches the host of a region, as named in "Amazon CloudWatch endpoints and
// quotas".
var endpoint = regexp.MustCompile(`^monitoring\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$`)

// For returns the transport for one of CloudWatch's hosts, and nil for any other.
func (t *Transport) For(host string) http.RoundTripper {
	if !endpoint.MatchString(host) {
		return nil
	}
	return t
}

// RoundTrip requests one page of alarms. The query may hold NextToken, StateValue,
// AlarmNamePrefix and MaxRecords, as DescribeAlarms takes them.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	m := endpoint.FindStringSubmatch(req.URL.Hostname())
	if m == nil {
		return nil, fmt.Errorf("%s is not a host of CloudWatch", req.URL.Hostname())
	}
	out, err := t.Client(m[1]).DescribeAlarms(req.Context(), input(req.URL.Query()))
	if err != nil {
		return failure(req, err)
	}
	body, err := json.Marshal(struct {
		MetricAlarms    []types.MetricAlarm
		CompositeAlarms []types.CompositeAlarm
		LogAlarms       []types.LogAlarm
		NextToken       *string
	}{out.MetricAlarms, out.CompositeAlarms, out.LogAlarms, out.NextToken})
	if err != nil {
		return nil, fmt.Errorf("render the alarms as JSON: %w", err)
	}
	return answer(req, http.StatusOK, body), nil
}

// input asks for alarms of every type: by default DescribeAlarms returns metric
// alarms only.
func input(q url.Values) *cloudwatch.DescribeAlarmsInput {
	in := &cloudwatch.DescribeAlarmsInput{
		AlarmTypes: []types.AlarmType{types.AlarmTypeMetricAlarm, types.AlarmTypeCompositeAlarm, types.AlarmTypeLogAlarm},
		StateValue: types.StateValue(q.Get("StateValue")),
	}
	if v := q.Get("AlarmNamePrefix"); v != "" {
		in.AlarmNamePrefix = aws.String(v)
	}
	if v := q.Get("NextToken"); v != "" {
		in.NextToken = aws.String(v)
	}
	if n, err := strconv.ParseInt(q.Get("MaxRecords"), 10, 32); err == nil && n > 0 {
		in.MaxRecords = aws.Int32(int32(n))
	}
	return in
}

// failure maps an error of AWS's to the status that the engine acts on; a request
// that never reached AWS stays an error. It passes on no text of AWS's.
func failure(req *http.Request, err error) (*http.Response, error) {
	refused, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return nil, err
	}
	code := refused.ErrorCode()
	switch {
	case strings.HasPrefix(code, "Throttl"), code == "RequestLimitExceeded", code == "TooManyRequestsException":
		return answer(req, http.StatusTooManyRequests, nil), nil
	case strings.HasPrefix(code, "AccessDenied"), strings.HasPrefix(code, "UnrecognizedClient"), strings.HasPrefix(code, "ExpiredToken"),
		strings.HasPrefix(code, "InvalidClientTokenId"), code == "NotAuthorized", code == "AuthFailure":
		return answer(req, http.StatusForbidden, nil), nil
	case refused.ErrorFault() == smithy.FaultServer:
		return answer(req, http.StatusInternalServerError, nil), nil
	default:
		return answer(req, http.StatusBadRequest, nil), nil
	}
}

func answer(req *http.Request, status int, body []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}
