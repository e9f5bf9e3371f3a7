// Empty is a Lambda function that creates the SDK clients that a function uses and
// does nothing: its start is the least that the function's can cost. Build tags
// select the clients.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
)

var (
	// makers are what each client's file adds.
	makers  []func(aws.Config) any
	clients []any
)

func main() {
	cfg, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		os.Exit(1)
	}
	for _, make := range makers {
		clients = append(clients, make(cfg))
	}
	lambda.Start(func(context.Context) error { return nil })
}
