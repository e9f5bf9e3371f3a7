package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// queue is the failure queue.
type queue struct {
	client *sqs.Client
	url    string
}

// Depth returns the number of waiting messages. SQS calls it approximate: it may lag
// by a minute.
func (q queue) Depth(ctx context.Context) (int, error) {
	if q.url == "" {
		return 0, fmt.Errorf("%s is not set: give it the URL of the failure queue; template.yaml does", queueVar)
	}
	const waiting = types.QueueAttributeNameApproximateNumberOfMessages
	out, err := q.client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl: &q.url, AttributeNames: []types.QueueAttributeName{waiting},
	})
	if err != nil {
		return 0, fmt.Errorf("read the depth of the failure queue: %w", err)
	}
	n, err := strconv.Atoi(out.Attributes[string(waiting)])
	if err != nil {
		return 0, errors.New("read the depth of the failure queue: the answer holds no number")
	}
	return n, nil
}
