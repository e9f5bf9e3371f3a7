package inbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Options set an inbox's behaviour; by default it answers at once and sets no pace.
type Options struct {
	// Addr is the address to listen on; empty is a free port on loopback.
	Addr string
	// OnArrival is called with every accepted message, one at a time, in order.
	OnArrival func(Message)
	// Now stamps messages and paces webhooks; nil is time.Now.
	Now func() time.Time
	// Burst is how many messages a webhook accepts at once before it limits them to
	// one a second, as Slack does. Zero sets no pace.
	Burst int
}

// Inbox is a running server. Its methods are safe for concurrent use.
type Inbox struct {
	opts   Options
	server *http.Server
	addr   string
	// arrivals keeps messages and their callbacks in the same order.
	arrivals sync.Mutex
	// idempotent keeps two concurrent calls with one key from both being accepted.
	idempotent sync.Mutex

	mu       sync.Mutex
	webhooks map[string]string
	messages []Message
	calls    []Call
	faults   map[string][]Fault
	// receivers are the bodies that each receiver of signed webhooks has accepted, by
	// key.
	receivers map[string]map[string][]byte
	// integrations are the names of PagerDuty's integrations, by key.
	integrations map[string]string
	alerts       []Alert
	// channels are the names of Slack's channels, by id.
	channels map[string]string
	posts    []SlackPost
	buckets  map[string]bucket
}

// Call is one request that reached the inbox, whatever its outcome.
type Call struct {
	At time.Time
	// Target is the name of the webhook, or the first recipient.
	Target     string
	DeliveryID string
	// Status is that of the answer; zero without one.
	Status   int
	Accepted bool
	// Duplicate says that the service recognised the message as one that it had
	// already accepted.
	Duplicate bool
}

// Start listens and serves until Close.
func Start(o Options) (*Inbox, error) {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, fmt.Errorf("start the local inbox: %w", err)
	}
	b := &Inbox{
		opts: o, addr: l.Addr().String(),
		webhooks: map[string]string{}, receivers: map[string]map[string][]byte{}, integrations: map[string]string{}, channels: map[string]string{}, faults: map[string][]Fault{}, buckets: map[string]bucket{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/services/", b.slack)
	mux.HandleFunc("POST /receivers/{name}", b.webhook)
	mux.HandleFunc("POST /pagerduty/v2/enqueue", b.pagerDuty)
	mux.HandleFunc("POST /slack/api/chat.postMessage", b.slackPost)
	mux.HandleFunc("POST /slack/api/chat.update", b.slackUpdate)
	mux.HandleFunc("POST /slack/api/conversations.history", b.slackHistory)
	mux.HandleFunc("POST /slack/api/conversations.replies", b.slackReplies)
	mux.HandleFunc("POST /v2/email/outbound-emails", b.ses)
	b.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = b.server.Serve(l) }()
	return b, nil
}

// Close stops the server and cuts its connections.
func (b *Inbox) Close() { _ = b.server.Close() }

// WebhookURL creates a webhook of the given name and returns its URL, which holds a
// token as Slack's do. Any other path answers no_service.
func (b *Inbox) WebhookURL(name string) string {
	sum := sha256.Sum256([]byte("ringonce local inbox " + name))
	path := "/services/T00000000/B00000000/" + hex.EncodeToString(sum[:12])
	b.mu.Lock()
	b.webhooks[path] = name
	b.mu.Unlock()
	return "http://" + b.addr + path
}

// SESEndpoint returns the value for AWS_ENDPOINT_URL_SESV2.
func (b *Inbox) SESEndpoint() string { return "http://" + b.addr }

// Messages returns the accepted messages, in order of arrival.
func (b *Inbox) Messages() []Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.messages)
}

// Calls returns every request, in the order in which they were answered.
func (b *Inbox) Calls() []Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.calls)
}

// accept stores a message and calls OnArrival.
func (b *Inbox) accept(m Message) Message {
	b.arrivals.Lock()
	defer b.arrivals.Unlock()
	b.mu.Lock()
	m.Seq, m.At = len(b.messages)+1, b.opts.Now()
	if m.Letter != nil {
		letter := *m.Letter
		letter.ID = fmt.Sprintf("0100000000000000-%08x-000000", m.Seq)
		m.Letter = &letter
	}
	b.messages = append(b.messages, m)
	b.mu.Unlock()
	if b.opts.OnArrival != nil {
		b.opts.OnArrival(m)
	}
	return m
}

func (b *Inbox) called(c Call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.At = b.opts.Now()
	b.calls = append(b.calls, c)
}
