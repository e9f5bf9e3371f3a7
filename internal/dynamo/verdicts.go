package dynamo

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/observation"
)

// Verdicts yields a key's observations in tick order with only the attributes that
// decisions use, the vendor's status and the time of writing: key, tick, source,
// verdict, missing, unseen, status and the time. For a long history that is a fraction
// of the data.
func (s *Store) Verdicts(ctx context.Context, key string, yield func(observation.Observation) error) error {
	rows := s.queryTicks(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Observations, ConsistentRead: aws.Bool(true), Limit: &s.verdictsPage,
		KeyConditionExpression:    aws.String("#incident_key = :key"),
		ProjectionExpression:      aws.String("#observation_id, #verdict, #missing, #unseen, #status, #observed_at"),
		ExpressionAttributeNames:  names("incident_key", "observation_id", "verdict", "missing", "unseen", "status", "observed_at"),
		ExpressionAttributeValues: item{":key": text(key)},
	})
	from := func(it item) (observation.Observation, error) { return verdictFromItem(key, it) }
	return failed("read verdicts of "+key, each(rows, from, yield))
}

// verdictsPage is larger than observationsPage: this many rows of the usual size
// still fit DynamoDB's limit of 1 MB.
const verdictsPage = 2000

// verdictFromItem decodes the few attributes by hand: reflection would take longer
// than the decision itself.
func verdictFromItem(key string, it item) (observation.Observation, error) {
	o := observation.Observation{IncidentKey: key}
	id, err := asText(it["observation_id"])
	if err != nil {
		return o, fmt.Errorf("attribute observation_id: %w", err)
	}
	at, source, ok := strings.Cut(id, "#")
	if !ok {
		return o, fmt.Errorf("observation %s: attribute observation_id: want a tick, # and a source", id)
	}
	if o.Tick, err = observation.ParseTick(at); err != nil {
		return o, fmt.Errorf("observation %s: %w", id, err)
	}
	o.Source = source
	verdict, err := asText(it["verdict"])
	if err == nil {
		o.Verdict, err = observation.ParseVerdict(verdict)
	}
	if err != nil {
		return o, fmt.Errorf("observation %s: attribute verdict: %w", id, err)
	}
	if missing, ok := it["missing"].(*types.AttributeValueMemberBOOL); ok {
		o.Missing = missing.Value
	}
	if unseen, ok := it["unseen"].(*types.AttributeValueMemberBOOL); ok {
		o.Unseen = unseen.Value
	}
	if status, ok := it["status"].(*types.AttributeValueMemberS); ok {
		o.Status = status.Value
	}
	if at, ok := it["observed_at"].(*types.AttributeValueMemberS); ok {
		if o.ObservedAt, err = parseStamp(at.Value); err != nil {
			return o, fmt.Errorf("observation %s: attribute observed_at: %w", id, err)
		}
	}
	return o, nil
}
