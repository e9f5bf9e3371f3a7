package inbox

import (
	"io"
	"net/http"
)

// reply is a service's answer.
type reply struct {
	status int
	header map[string]string
	body   string
}

// service is how one kind of service handles one call.
type service struct {
	call Call
	// message is accepted if refusal is nil.
	message Message
	refusal *reply
	// fault returns the service's answer for a scripted fault, accepted that for an
	// accepted message; limited is the answer to calls that come too fast.
	fault    func(Fault) reply
	accepted func(Message) reply
	limited  reply
	// known says that the message has already been accepted: it is answered as
	// accepted and not stored again. known and keep run for one call at a time.
	known func() bool
	keep  func(Message)
}

// receive handles one call: its fault, its pace, and the service's answer.
func (b *Inbox) receive(w http.ResponseWriter, r *http.Request, s service) {
	f := b.nextFault(s.call.Target)
	if f.Accept && s.refusal == nil {
		s.message = b.keepOnce(&s)
	}
	b.finish(s.call, f, r)
	switch {
	case f.Status != 0:
		b.reply(w, s.call, s.fault(f))
	case !b.take(s.call.Target):
		b.reply(w, s.call, s.limited)
	case s.refusal != nil:
		b.reply(w, s.call, *s.refusal)
	default:
		if !s.call.Accepted {
			s.message = b.keepOnce(&s)
		}
		b.reply(w, s.call, s.accepted(s.message))
	}
}

// keepOnce accepts a message unless it has already been accepted.
func (b *Inbox) keepOnce(s *service) Message {
	b.idempotent.Lock()
	defer b.idempotent.Unlock()
	s.call.Accepted = true
	if s.known != nil && s.known() {
		s.call.Duplicate = true
		return s.message
	}
	m := b.accept(s.message)
	if s.keep != nil {
		s.keep(m)
	}
	return m
}

func (b *Inbox) reply(w http.ResponseWriter, call Call, a reply) {
	call.Status = a.status
	b.called(call)
	w.Header().Set("Content-Type", "application/json")
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// retryAfter returns the header of that name, if it has a value.
func retryAfter(f Fault) map[string]string {
	if f.RetryAfter == "" {
		return nil
	}
	return map[string]string{"Retry-After": f.RetryAfter}
}
