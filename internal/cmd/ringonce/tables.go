package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/setup"
)

// stackUsage explains where commands that change the tables find them.
const stackUsage = `
  --stack NAME      the tables of this deployed stack, with the AWS credentials
                    and region of the environment; by default ringonce

AWS_ENDPOINT_URL_DYNAMODB brings another engine, such as the one of a local run.
`

// stackStore opens the tables of a stack.
func stackStore(ctx context.Context, stack string) (*dynamo.Store, error) {
	cfg, err := setup.AWS(ctx)
	if err != nil {
		return nil, err
	}
	return dynamo.New(dynamodb.NewFromConfig(cfg), dynamo.Tables{
		Observations: stack + "-observations", Incidents: stack + "-incidents",
		Outbox: stack + "-outbox", Operations: stack + "-operations",
	}), nil
}
