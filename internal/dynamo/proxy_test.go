package dynamo_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/enginetest"
)

// A fault is what a proxy does to one request instead of passing it on. It
// returns false to pass it on after all.
type fault func(w http.ResponseWriter, r *http.Request, body []byte) bool

// proxy stands between a client and the engine. It counts requests by operation
// and plays the faults that are queued for one, in order.
type proxy struct {
	mu     sync.Mutex
	counts map[string]int
	faults map[string][]fault
	bodies []string
}

// oneConnectionEach keeps no connection for the next request. One that breaks
// between two requests costs the SDK a retry, which a count must not see.
var oneConnectionEach = &http.Transport{DisableKeepAlives: true}

// behindProxy returns a store on fresh tables whose requests go through a proxy.
// The SDK tries each of them as often as given.
func behindProxy(t *testing.T, tries int) (*dynamo.Store, *proxy) {
	t.Helper()
	p := &proxy{counts: map[string]int{}, faults: map[string][]fault{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	tables := enginetest.Stack(t)
	cfg := enginetest.Config()
	cfg.BaseEndpoint = aws.String(server.URL)
	cfg.HTTPClient = &http.Client{Transport: oneConnectionEach}
	cfg.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts = tries
			o.Backoff = retry.BackoffDelayerFunc(noWait)
		})
	}
	return dynamo.New(dynamodb.NewFromConfig(cfg), tables), p
}

func (p *proxy) queue(operation string, faults ...fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults[operation] = append(p.faults[operation], faults...)
}

// count returns the requests of an operation since the last call.
func (p *proxy) count() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	counts := p.counts
	p.counts = map[string]int{}
	return counts
}

func (p *proxy) next(operation string, body []byte) fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[operation]++
	p.bodies = append(p.bodies, string(body))
	queued := p.faults[operation]
	if len(queued) == 0 {
		return nil
	}
	p.faults[operation] = queued[1:]
	return queued[0]
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if f := p.next(operation, body); f != nil && f(w, r, body) {
		return
	}
	resp := forward(r, body)
	defer resp.Body.Close()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
	if _, err := io.Copy(w, resp.Body); err != nil {
		panic(err)
	}
}

func forward(r *http.Request, body []byte) *http.Response {
	engine := *enginetest.Config().BaseEndpoint
	out, err := http.NewRequestWithContext(r.Context(), r.Method, engine+r.URL.Path, strings.NewReader(string(body)))
	if err != nil {
		panic(err)
	}
	out.Header = r.Header
	resp, err := oneConnectionEach.RoundTrip(out)
	if err != nil {
		panic(err)
	}
	return resp
}

// lostAnswer lets the engine do the request and cuts the connection before its
// answer.
func lostAnswer(w http.ResponseWriter, r *http.Request, body []byte) bool {
	resp := forward(r, body)
	resp.Body.Close()
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	conn.Close()
	return true
}

// refusal answers with one of DynamoDB's errors; more is added to its JSON.
func refusal(code, more string) fault {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"__type":"com.amazonaws.dynamodb.v20120810#`+code+`","message":"refused by the test"`+more+`}`)
		return true
	}
}

// cancelled answers with a cancelled transaction and its reasons in item order.
func cancelled(codes ...string) fault {
	reasons := make([]string, len(codes))
	for i, c := range codes {
		reasons[i] = `{"Code":"` + c + `"}`
	}
	return refusal("TransactionCanceledException", `,"CancellationReasons":[`+strings.Join(reasons, ",")+`]`)
}
