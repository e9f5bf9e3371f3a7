package inbox

import (
	"encoding/json"
	"io"
	"net/http"
)

// ses answers SendEmail of the SES API, version 2.
func (b *Inbox) ses(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	letter, refusal := readLetter(r, body)
	call := Call{}
	var targets []string
	if letter != nil {
		targets = letter.To
		call.Target, call.DeliveryID = letter.To[0], letter.deliveryID()
	}
	m := Message{Channel: Mail, Target: call.Target, DeliveryID: call.DeliveryID, Body: body, Letter: letter}

	f := b.nextFault(targets...)
	if f.Accept && letter != nil {
		m = b.accept(m)
		call.Accepted = true
	}
	b.finish(call, f, r)
	switch {
	case f.Status != 0:
		if f.RetryAfter != "" {
			w.Header().Set("Retry-After", f.RetryAfter)
		}
		b.refuse(w, call, f.asRefusal())
	case refusal != nil:
		b.refuse(w, call, *refusal)
	default:
		if !call.Accepted {
			m = b.accept(m)
			call.Accepted = true
		}
		call.Status = http.StatusOK
		b.called(call)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"MessageId": m.Letter.ID})
	}
}

// refusal is an exception of SES.
type refusal struct {
	status  int
	name    string
	message string
}

func (f Fault) asRefusal() refusal {
	name := f.Word
	switch {
	case name != "":
	case f.Status == http.StatusTooManyRequests:
		name = "TooManyRequestsException"
	case f.Status >= 500:
		name = "InternalServiceErrorException"
	default:
		name = "BadRequestException"
	}
	return refusal{status: f.Status, name: name, message: "scripted fault"}
}

func (b *Inbox) refuse(w http.ResponseWriter, call Call, x refusal) {
	call.Status = x.status
	b.called(call)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Amzn-ErrorType", x.name)
	w.WriteHeader(x.status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": x.message})
}
