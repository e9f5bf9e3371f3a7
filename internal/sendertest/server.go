package sendertest

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// silent keeps the servers' log about cut connections out of the test output.
var silent = log.New(io.Discard, "", 0)

// server stores the requests that it received.
type server struct {
	*httptest.Server
	mu  sync.Mutex
	got []string
}

// serve starts a server that reads each request whole before it answers.
func serve(t testing.TB, answer http.HandlerFunc) *server {
	s := &server{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.got = append(s.got, string(body))
		s.mu.Unlock()
		answer(w, r)
	}))
	s.Config.ErrorLog = silent
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *server) bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}
