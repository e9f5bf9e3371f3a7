package inbox

import (
	"io"
	"net/http"
)

// reply is what a service answers.
type reply struct {
	status int
	header map[string]string
	body   string
}

// service is how one kind of service takes one call.
type service struct {
	call Call
	// message is what is accepted if refusal is nil.
	message Message
	refusal *reply
	// fault puts a scripted fault into the service's words, and accepted what
	// follows from a message; limited is the answer to who comes too fast.
	fault    func(Fault) reply
	accepted func(Message) reply
	limited  reply
	// known says that the message is there already: it is answered as accepted
	// and not kept again. It and keep run one call at a time.
	known func() bool
	keep  func(Message)
}

// receive plays one call: its fault, its pace, and what the service says to it.
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

// keepOnce accepts a message unless it is there already.
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

// retryAfter is the header of that name, if there is something in it.
func retryAfter(f Fault) map[string]string {
	if f.RetryAfter == "" {
		return nil
	}
	return map[string]string{"Retry-After": f.RetryAfter}
}
