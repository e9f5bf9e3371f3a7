package wire

import (
	"net/http"
	"time"
)

// Idle is how long a connection may have been idle and still be used. Lambda freezes
// a function between two events and drops its idle connections ("Networking and VPC
// configurations: Keep-alive for persistent connections", Lambda Developer Guide),
// and many receivers close theirs after five seconds: whether a message written to a
// closed connection arrived is unknown.
const Idle = 3 * time.Second

// Transport returns http.DefaultTransport for requests that must not be sent twice:
// it reuses no connection that has been idle for longer than Idle by the wall clock,
// which goes on while a function is frozen.
func Transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.IdleConnTimeout = Idle
	return t
}
