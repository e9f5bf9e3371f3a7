package lambdaruntime

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"
)

// invocation is one payload and its way through one process.
type invocation struct {
	id      string
	trace   string
	payload []byte
	timeout time.Duration
	// taken carries the deadline once a process has asked for the payload;
	// result its answer. Both have room for one, so that no sender waits.
	taken  chan time.Time
	result chan outcome
}

// outcome is how an invocation ended.
type outcome struct {
	response []byte
	err      error
}

func newInvocation(payload []byte, timeout time.Duration) *invocation {
	return &invocation{
		id:      requestID(),
		trace:   traceID(time.Now()),
		payload: payload,
		timeout: timeout,
		taken:   make(chan time.Time, 1),
		result:  make(chan outcome, 1),
	}
}

// requestID returns a random UUID (RFC 9562, version 4), the form of Lambda's request
// ids.
func requestID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// traceID returns an X-Ray trace header for a request that is not sampled.
func traceID(now time.Time) string {
	var b [20]byte
	rand.Read(b[:])
	return fmt.Sprintf("Root=1-%08x-%s;Parent=%s;Sampled=0", now.Unix(), hex.EncodeToString(b[:12]), hex.EncodeToString(b[12:]))
}
