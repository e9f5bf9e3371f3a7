package secret_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/aws-sdk-go-v2/service/ssm/types"

	"github.com/ringonce/ringonce/internal/secret"
)

// store plays the Parameter Store: up to ten names a call, all or nothing where
// access is denied, unknown names listed apart.
type store struct {
	mu     sync.Mutex
	values map[string]string
	denied string
	calls  [][]string
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var q struct {
		Names          []string
		WithDecryption bool
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.Header.Get("X-Amz-Target") != "AmazonSSM.GetParameters" || !q.WithDecryption {
		refuse(w, "ValidationException", "not a GetParameters with decryption")
		return
	}
	s.calls = append(s.calls, q.Names)
	switch {
	case len(q.Names) > 10:
		refuse(w, "ValidationException", "more than ten names")
		return
	case slices.Contains(q.Names, s.denied):
		refuse(w, "AccessDeniedException", "no access to "+s.denied+" with value hunter2")
		return
	}
	var out struct {
		Parameters        []map[string]string
		InvalidParameters []string
	}
	for _, n := range q.Names {
		if v, ok := s.values[n]; ok {
			out.Parameters = append(out.Parameters, map[string]string{"Name": n, "Type": "SecureString", "Value": v})
		} else {
			out.InvalidParameters = append(out.InvalidParameters, n)
		}
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	_ = json.NewEncoder(w).Encode(out)
}

func refuse(w http.ResponseWriter, name, message string) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]string{"__type": name, "message": message})
}

func client(t *testing.T, h http.Handler) *ssm.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return ssm.NewFromConfig(aws.Config{
		Region: "eu-central-1", BaseEndpoint: aws.String(server.URL), RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("AKID", "key", ""),
	})
}

func TestLoadReadsTenAtATime(t *testing.T) {
	s := &store{values: map[string]string{}}
	var refs []string
	for i := range 23 {
		name := fmt.Sprintf("/ringonce/%02d", i)
		s.values[name] = "value of " + name
		refs = append(refs, "ssm:"+name, "ssm:"+name)
	}
	r, _, _ := resolver(t, secret.Options{Parameters: client(t, s), LookupEnv: env(map[string]string{"E": "e"})})
	if err := r.Load(t.Context(), append(refs, "env:E")); err != nil {
		t.Fatal(err)
	}
	if len(s.calls) != 3 {
		t.Errorf("%d calls for 23 parameters, want 3", len(s.calls))
	}
	want(t, r, "ssm:/ringonce/07", "value of /ringonce/07")
	want(t, r, "env:E", "e")
	if len(s.calls) != 3 {
		t.Error("a loaded value was read again")
	}
}

func TestParametersThatCannotBeRead(t *testing.T) {
	s := &store{values: map[string]string{"/good": "g", "/denied": "hunter2", "/empty": ""}, denied: "/denied"}
	r, _, log := resolver(t, secret.Options{Parameters: client(t, s)})
	err := r.Load(t.Context(), []string{"ssm:/good", "ssm:/denied", "ssm:/none", "ssm:/empty"})
	if err == nil {
		t.Fatal("no error")
	}
	for _, says := range []string{
		"secret ssm:/denied: reading the parameter failed: AccessDeniedException; the function's role needs ssm:GetParameters",
		"secret ssm:/none: there is no such parameter",
		"secret ssm:/empty: there is no such parameter",
	} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("error does not say %q:\n%v", says, err)
		}
	}
	if strings.Contains(err.Error(), "/good") || strings.Contains(err.Error()+log.String(), "hunter2") {
		t.Errorf("error of a good parameter, or a value in it: %v", err)
	}
	want(t, r, "ssm:/good", "g")
}

// case C7: an address that cannot be reached is not in the error.
func TestParameterStoreOutOfReach(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	c := ssm.NewFromConfig(aws.Config{
		Region: "eu-central-1", BaseEndpoint: aws.String(server.URL), RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("AKID", "key", ""),
	})
	r, _, _ := resolver(t, secret.Options{Parameters: c})
	_, err := r.Resolve(t.Context(), "ssm:/a")
	if err == nil || !strings.Contains(err.Error(), "secret ssm:/a: reading the parameter failed: connection refused") || strings.Contains(err.Error(), "http") {
		t.Errorf("error %v", err)
	}
}

// slow answers once it is released, unless its caller's context ends first.
type slow struct{ asked, release chan struct{} }

func (s slow) GetParameters(ctx context.Context, in *ssm.GetParametersInput, _ ...func(*ssm.Options)) (*ssm.GetParametersOutput, error) {
	close(s.asked)
	select {
	case <-s.release:
		return &ssm.GetParametersOutput{Parameters: []types.Parameter{{Name: aws.String(in.Names[0]), Value: aws.String("v")}}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// One who gives up does not take the read away from those who wait with it.
func TestTheFirstToAskMayLeave(t *testing.T) {
	s := slow{asked: make(chan struct{}), release: make(chan struct{})}
	r, _, _ := resolver(t, secret.Options{Parameters: s})
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := r.Resolve(ctx, "ssm:/a")
		left <- err
	}()
	<-s.asked
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up got %v", err)
	}
	close(s.release)
	want(t, r, "ssm:/a", "v")
}
