// Empty is a Lambda function that makes the SDK clients that the functions use
// and does nothing: what a start costs at the least.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
)

var clients []any

func main() {
	cfg, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		os.Exit(1)
	}
	clients = append(clients, dynamodb.NewFromConfig(cfg), ssm.NewFromConfig(cfg), sesv2.NewFromConfig(cfg), sqs.NewFromConfig(cfg))
	lambda.Start(func(context.Context) error { return nil })
}
