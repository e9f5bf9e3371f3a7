// Command probe is a Lambda function that does what its event says, so that the tests
// of the local runtime cover each way in which a function can end.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

type event struct {
	Do   string `json:"do"`
	Text string `json:"text"`
}

type answer struct {
	PID       int    `json:"pid"`
	Text      string `json:"text"`
	RequestID string `json:"request_id"`
	ARN       string `json:"arn"`
	// Left is the time to the deadline in milliseconds.
	Left int64 `json:"left"`
}

func main() {
	switch os.Getenv("PROBE_START") {
	case "exit":
		fmt.Fprintln(os.Stderr, "probe: cannot start")
		os.Exit(3)
	}
	lambda.Start(handle)
}

func handle(ctx context.Context, e event) (answer, error) {
	lc, _ := lambdacontext.FromContext(ctx)
	deadline, _ := ctx.Deadline()
	a := answer{
		PID: os.Getpid(), Text: e.Text, RequestID: lc.AwsRequestID, ARN: lc.InvokedFunctionArn,
		Left: time.Until(deadline).Milliseconds(),
	}
	switch e.Do {
	case "error":
		return a, errors.New(e.Text)
	case "panic":
		panic(e.Text)
	case "exit":
		os.Exit(4)
	case "hang":
		fmt.Println("hanging")
		select {}
	case "env":
		a.Text = strings.Join(os.Environ(), "\n")
	case "print":
		fmt.Println(e.Text)
		fmt.Fprint(os.Stderr, "no line end")
	case "large":
		a.Text = strings.Repeat("x", 7<<20)
	case "dial":
		// A connection that only the end of the process closes.
		if _, err := net.Dial("tcp", e.Text); err != nil {
			return a, err
		}
		select {}
	case "wait":
		fmt.Println("waiting")
		for ctx.Err() == nil {
			if _, err := os.Stat(e.Text); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	return a, nil
}
