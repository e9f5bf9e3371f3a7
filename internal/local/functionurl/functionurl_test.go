package functionurl

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

func serve(t *testing.T, invoke Invoke, failed func(error)) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(Handler(invoke, func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }, failed))
	t.Cleanup(s.Close)
	return s
}

func do(t *testing.T, method, url, body string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Add("X-Twice", "a")
	r.Header.Add("X-Twice", "b")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(text)
}

func TestARequestBecomesAnEventAndTheAnswerAResponse(t *testing.T) {
	var got events.LambdaFunctionURLRequest
	s := serve(t, func(_ context.Context, payload []byte) ([]byte, error) {
		if err := json.Unmarshal(payload, &got); err != nil {
			return nil, err
		}
		return []byte(`{"statusCode":201,"headers":{"X-Own":"yes"},"body":"aGk=","isBase64Encoded":true}`), nil
	}, func(err error) { t.Error(err) })
	status, header, body := do(t, http.MethodPost, s.URL+"/i/a%2Fb?x=1&x=2", "\xff")
	if status != http.StatusCreated || header.Get("X-Own") != "yes" || body != "hi" {
		t.Errorf("%d %v %q", status, header, body)
	}
	if got.Version != "2.0" || got.RawPath != "/i/a%2Fb" || got.RawQueryString != "x=1&x=2" || got.QueryStringParameters["x"] != "1,2" ||
		got.RequestContext.HTTP.Method != http.MethodPost || got.Headers["x-twice"] != "a,b" || !got.IsBase64Encoded || got.Body != "/w==" {
		t.Errorf("event %+v", got)
	}
}

func TestWhatGoesWrongIsNotTold(t *testing.T) {
	for name, invoke := range map[string]Invoke{
		"an error":     func(context.Context, []byte) ([]byte, error) { return nil, errors.New("the secret word") },
		"no response":  func(context.Context, []byte) ([]byte, error) { return []byte(`null`), nil },
		"not JSON":     func(context.Context, []byte) ([]byte, error) { return []byte(`<html>`), nil },
		"no status":    func(context.Context, []byte) ([]byte, error) { return []byte(`{"body":"x"}`), nil },
		"large bodies": nil,
	} {
		told := 0
		s := serve(t, invoke, func(error) { told++ })
		body, want := "", http.StatusBadGateway
		if invoke == nil {
			body, want = strings.Repeat("x", maxBody+1), http.StatusRequestEntityTooLarge
		}
		status, _, text := do(t, http.MethodPost, s.URL, body)
		if status != want || strings.Contains(text, "secret") || (told == 1) != (invoke != nil) {
			t.Errorf("%s: %d %q, told %d times", name, status, text, told)
		}
	}
}
