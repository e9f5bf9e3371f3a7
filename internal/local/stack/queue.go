package stack

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
)

// serveQueue answers for the failure queue, which is a file here, as SQS does to the
// only request that a function makes: how many messages wait.
func (s *Stack) serveQueue() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the failure queue: %w", err)
	}
	s.queue = &http.Server{Handler: http.HandlerFunc(s.answerQueue)}
	s.queueURL = "http://" + listener.Addr().String()
	go func() { _ = s.queue.Serve(listener) }() // ends with Close
	return nil
}

func (s *Stack) answerQueue(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	if r.Header.Get("X-Amz-Target") != "AmazonSQS.GetQueueAttributes" {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"__type":"com.amazonaws.sqs#UnsupportedOperation","message":"the local queue only tells its depth"}`))
		return
	}
	failures, err := s.Failures()
	if err != nil {
		s.options.Problem(err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	answer := map[string]map[string]string{"Attributes": {"ApproximateNumberOfMessages": strconv.Itoa(len(failures))}}
	_ = json.NewEncoder(w).Encode(answer)
}
