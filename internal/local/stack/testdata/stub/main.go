// Command stub replaces each of the four functions: it writes and reads the tables as
// they do, but decides nothing.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func main() {
	cfg, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		fmt.Println("stub:", err)
		os.Exit(1)
	}
	s := stub{dynamodb.NewFromConfig(cfg)}
	name := os.Getenv("AWS_LAMBDA_FUNCTION_NAME")
	switch name[strings.LastIndex(name, "-")+1:] {
	case "poll":
		lambda.Start(s.poll)
	case "decide":
		lambda.Start(s.decide)
	case "deliver":
		lambda.Start(s.deliver)
	case "sweep", "heartbeat":
		lambda.Start(s.sweep)
	}
}

type stub struct{ client *dynamodb.Client }

type scheduled struct {
	Time string `json:"scheduled_time"`
}

// poll observes the keys that STUB_KEYS lists.
func (s stub) poll(ctx context.Context, e scheduled) error {
	for key := range strings.SplitSeq(os.Getenv("STUB_KEYS"), ",") {
		if err := s.put(ctx, "RINGONCE_OBSERVATIONS_TABLE", "observation_id", key, e.Time); err != nil {
			return err
		}
	}
	return nil
}

// decide writes an outbox item per observation. For the key poison it always fails,
// and for the key slow until the file STUB_GATE exists.
func (s stub) decide(ctx context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	var response events.DynamoDBEventResponse
	for _, r := range e.Records {
		key := r.Change.Keys["incident_key"].String()
		if key == "poison" {
			response.BatchItemFailures = append(response.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: r.Change.SequenceNumber})
			continue
		}
		if key == "slow" {
			waitFor(os.Getenv("STUB_GATE"))
		}
		if err := s.put(ctx, "RINGONCE_OUTBOX_TABLE", "slot", key, r.Change.Keys["observation_id"].String()); err != nil {
			return response, err
		}
	}
	return response, nil
}

func waitFor(path string) {
	fmt.Println("waiting")
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (s stub) deliver(_ context.Context, e events.DynamoDBEvent) error {
	for _, r := range e.Records {
		fmt.Println("delivered", r.Change.Keys["incident_key"].String(), r.Change.Keys["slot"].String())
	}
	return nil
}

func (s stub) sweep(_ context.Context, e scheduled) error {
	fmt.Println("swept", e.Time)
	return nil
}

func (s stub) put(ctx context.Context, table, sort, key, value string) error {
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String(os.Getenv(table)),
		Item: map[string]types.AttributeValue{
			"incident_key": &types.AttributeValueMemberS{Value: key},
			sort:           &types.AttributeValueMemberS{Value: value},
		},
	})
	return err
}
