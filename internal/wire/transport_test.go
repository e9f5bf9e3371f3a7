package wire_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringonce/ringonce/internal/wire"
)

// case D5: what is sent into a connection that the other side has closed meanwhile is
// in doubt. One that has been idle is not used again.
func TestAnIdleConnectionIsNotUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dialled := 0
		transport := wire.Transport()
		transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
			dialled++
			here, there := net.Pipe()
			go answerAll(there)
			return here, nil
		}
		defer transport.CloseIdleConnections()
		c := wire.NewClient(transport, time.Minute)
		for i, step := range []struct {
			after time.Duration
			want  int
		}{{0, 1}, {time.Second, 1}, {5 * time.Second, 2}} {
			time.Sleep(step.after) // on the bubble's clock
			if a, o, ok := c.Post(t.Context(), "http://127.0.0.1/in", http.Header{}, []byte("{}")); !ok || a.Status != http.StatusOK {
				t.Fatalf("post %d: %+v", i+1, o)
			}
			if dialled != step.want {
				t.Errorf("post %d, %s after the one before: %d connections, want %d", i+1, step.after, dialled, step.want)
			}
		}
	})
}

// answerAll answers one request after another until the connection ends.
func answerAll(conn net.Conn) {
	defer conn.Close()
	for in := bufio.NewReader(conn); ; {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"); err != nil {
			return
		}
	}
}
