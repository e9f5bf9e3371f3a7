package wire_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/wire"
)

// case D5: net/http repeats a request by itself that carries an idempotency key
// and meets a connection, kept from before, that the server cuts. Ours is not
// repeated: the ledger would not know of it.
func TestOneRequestOnAKeptConnection(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(s.Close)
	c := wire.NewClient(&http.Transport{}, time.Minute)
	header := http.Header{"Idempotency-Key": {"k"}}
	if a, o, ok := c.Post(t.Context(), s.URL, header, []byte("1")); !ok || a.Status != 200 {
		t.Fatalf("first: %+v", o)
	}
	if _, o, ok := c.Post(t.Context(), s.URL, header, []byte("2")); ok || o.Class != delivery.Ambiguous {
		t.Errorf("second: %+v", o)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times for two posts", n)
	}
}

func TestSafeAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"https://receiver.example.com/in": true, "http://127.0.0.1:8080/in": true, "http://[::1]/in": true, "http://localhost/in": true,
		"http://receiver.example.com/in": false, "http://127.0.0.1.example.com/in": false, "https://u:p@receiver.example.com": false,
		"receiver.example.com": false, "ftp://receiver.example.com": false, "https:///in": false, "https://a/%zz": false, "": false,
	} {
		if got := wire.Safe(address); got != want {
			t.Errorf("Safe(%q) = %v", address, got)
		}
	}
}
