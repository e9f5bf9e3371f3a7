package wire

import (
	"net/http"
	"time"
)

// Idle is how long a connection may have carried nothing and still be used. Lambda
// freezes a function between two events and drops its idle connections ("Networking
// and VPC configurations: Keep-alive for persistent connections", Lambda Developer
// Guide), and many receivers close theirs after five seconds: a message that is
// written into one that is gone may have arrived, for all that is known here.
const Idle = 3 * time.Second

// Transport returns http.DefaultTransport for what must not be sent twice: it takes
// no connection that has been idle for longer than Idle, by the clock on the wall,
// which goes on while a function is frozen.
func Transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.IdleConnTimeout = Idle
	return t
}
