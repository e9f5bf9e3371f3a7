// Package functionurl serves a function over HTTP as a Lambda function URL does: a
// request becomes an event with payload format 2.0, and the function's answer the
// response ("Invoking Lambda function URLs" in the Lambda Developer Guide).
package functionurl

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// maxBody is the most bytes in a request's body.
const maxBody = 6 << 20

// Invoke calls the function with an event and returns its answer.
type Invoke func(ctx context.Context, payload []byte) ([]byte, error)

// Handler serves a function. As in AWS, an error becomes a 502 without details;
// failed is called with it.
func Handler(invoke Invoke, now func() time.Time, failed func(error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, `{"Message":"Request must be smaller than 6291456 bytes for the InvokeFunction operation"}`, http.StatusRequestEntityTooLarge)
			return
		}
		answer, err := call(r, invoke, Event(r, body, now()))
		if err != nil {
			failed(err)
			http.Error(w, "Internal Server Error", http.StatusBadGateway)
			return
		}
		write(w, answer)
	})
}

func call(r *http.Request, invoke Invoke, e events.LambdaFunctionURLRequest) (a events.LambdaFunctionURLResponse, err error) {
	payload, err := json.Marshal(e)
	if err != nil {
		return a, fmt.Errorf("write the event of a request: %w", err)
	}
	answer, err := invoke(r.Context(), payload)
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(answer, &a); err != nil || a.StatusCode < 100 {
		return a, fmt.Errorf("the function's answer is no response: want statusCode, headers and body")
	}
	return a, nil
}

func write(w http.ResponseWriter, a events.LambdaFunctionURLResponse) {
	for name, value := range a.Headers {
		w.Header().Set(name, value)
	}
	for _, cookie := range a.Cookies {
		w.Header().Add("Set-Cookie", cookie)
	}
	body := []byte(a.Body)
	if a.IsBase64Encoded {
		body, _ = base64.StdEncoding.DecodeString(a.Body)
	}
	w.WriteHeader(a.StatusCode)
	_, _ = w.Write(body) // who asked may be gone
}

// Event returns the event of a request. Headers and parameters that occur several
// times are joined by commas.
func Event(r *http.Request, body []byte, at time.Time) events.LambdaFunctionURLRequest {
	path := r.URL.EscapedPath()
	e := events.LambdaFunctionURLRequest{
		Version: "2.0", RawPath: path, RawQueryString: r.URL.RawQuery, Headers: map[string]string{},
		RequestContext: events.LambdaFunctionURLRequestContext{
			AccountID: "anonymous", APIID: "local", DomainName: r.Host, DomainPrefix: "local",
			RequestID: "00000000-0000-0000-0000-000000000000", Time: at.UTC().Format("02/Jan/2006:15:04:05 -0700"), TimeEpoch: at.UnixMilli(),
			HTTP: events.LambdaFunctionURLRequestContextHTTPDescription{
				Method: r.Method, Path: path, Protocol: r.Proto, SourceIP: "127.0.0.1", UserAgent: r.UserAgent(),
			},
		},
	}
	for name, values := range r.Header {
		e.Headers[strings.ToLower(name)] = strings.Join(values, ",")
	}
	if query := r.URL.Query(); len(query) > 0 {
		e.QueryStringParameters = map[string]string{}
		for name, values := range query {
			e.QueryStringParameters[name] = strings.Join(values, ",")
		}
	}
	e.Body = string(body)
	if !utf8.Valid(body) {
		e.Body, e.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	}
	return e
}
