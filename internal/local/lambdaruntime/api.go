package lambdaruntime

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// maxResponse is the largest response of a synchronous invocation: 6 MB (AWS
// Lambda quotas).
const maxResponse = 6 << 20

// routes serves the four calls of the Runtime API that a runtime makes.
func (p *process) routes() http.Handler {
	mux := http.NewServeMux()
	const base = "/2018-06-01/runtime/"
	mux.HandleFunc("GET "+base+"invocation/next", p.next)
	mux.HandleFunc("POST "+base+"invocation/{id}/response", p.response)
	mux.HandleFunc("POST "+base+"invocation/{id}/error", p.failure)
	mux.HandleFunc("POST "+base+"init/error", p.initFailure)
	return mux
}

// next waits for an invocation and sends it.
func (p *process) next(w http.ResponseWriter, r *http.Request) {
	select {
	case p.asked <- struct{}{}:
	default:
	}
	select {
	case inv := <-p.work:
		select {
		case <-p.asked:
		default:
		}
		p.send(w, inv)
	case <-r.Context().Done():
	}
}

func (p *process) send(w http.ResponseWriter, inv *invocation) {
	deadline := time.Now().Add(inv.timeout)
	p.mu.Lock()
	p.current = inv
	p.mu.Unlock()
	inv.taken <- deadline
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Lambda-Runtime-Aws-Request-Id", inv.id)
	h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(deadline.UnixMilli(), 10))
	h.Set("Lambda-Runtime-Invoked-Function-Arn", p.arn)
	h.Set("Lambda-Runtime-Trace-Id", inv.trace)
	w.Write(inv.payload)
}

func (p *process) response(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		p.settle(w, r, http.StatusRequestEntityTooLarge, outcome{err: &FunctionError{
			Function: p.function, Type: "Function.ResponseSizeTooLarge",
			Message: "the response is larger than the 6 MB that Lambda passes on",
		}})
	case err != nil:
		refuse(w, http.StatusBadRequest, "InvalidRequest", "the body ended early")
	default:
		p.settle(w, r, http.StatusAccepted, outcome{response: body})
	}
}

func (p *process) failure(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
	if err != nil {
		refuse(w, http.StatusBadRequest, "InvalidRequest", "the body ended early")
		return
	}
	p.settle(w, r, http.StatusAccepted, outcome{err: functionError(p.function, body, errorType(r))})
}

func (p *process) initFailure(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
	err := functionError(p.function, body, errorType(r))
	err.Init = true
	select {
	case p.initError <- err:
	default:
	}
	answer(w, http.StatusAccepted, map[string]string{"status": "OK"})
}

// settle ends the invocation that the path names, once.
func (p *process) settle(w http.ResponseWriter, r *http.Request, status int, o outcome) {
	p.mu.Lock()
	inv := p.current
	if inv == nil || inv.id != r.PathValue("id") {
		p.mu.Unlock()
		refuse(w, http.StatusBadRequest, "InvalidRequestID", "no invocation of this id is running in this process")
		return
	}
	p.current = nil
	p.mu.Unlock()
	inv.result <- o
	if status == http.StatusAccepted {
		answer(w, status, map[string]string{"status": "OK"})
		return
	}
	refuse(w, status, "RequestEntityTooLarge", o.err.Error())
}

func errorType(r *http.Request) string { return r.Header.Get("Lambda-Runtime-Function-Error-Type") }

func refuse(w http.ResponseWriter, status int, kind, message string) {
	answer(w, status, map[string]string{"errorType": kind, "errorMessage": message})
}

func answer(w http.ResponseWriter, status int, body map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
