package dynamo

import (
	"context"
	"maps"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/observation"
)

const beatKind = "beat"

type beatRow struct {
	Part   string    `dynamodbav:"id"`
	Tick   tick      `dynamodbav:"tick,omitempty"`
	At     time.Time `dynamodbav:"at"`
	Since  tick      `dynamodbav:"since,omitempty"`
	Config string    `dynamodbav:"config_hash,omitempty"`
}

// PutBeat stores a beat, unless the part has stored a later one.
func (s *Store) PutBeat(ctx context.Context, b observation.Beat) error {
	in := &dynamodb.UpdateItemInput{
		TableName: &s.tables.Operations, Key: operationKey(beatKind, b.Part),
		UpdateExpression:         aws.String("SET #tick = :tick, #at = :at"),
		ConditionExpression:      aws.String("attribute_not_exists(#tick) OR #tick < :tick OR (#tick = :tick AND #at < :at)"),
		ExpressionAttributeNames: names("tick", "at"),
		ExpressionAttributeValues: item{
			":tick": text(observation.FormatTick(b.Tick)), ":at": text(formatStamp(b.At)),
		},
	}
	if !b.Since.IsZero() {
		*in.UpdateExpression += ", #since = :since, #config_hash = :config"
		maps.Copy(in.ExpressionAttributeNames, names("since", "config_hash"))
		in.ExpressionAttributeValues[":since"] = text(observation.FormatTick(b.Since))
		in.ExpressionAttributeValues[":config"] = text(b.Config)
	}
	_, err := s.client.UpdateItem(ctx, in)
	if _, later := conditionFailed(err); later {
		return nil
	}
	return failed("write the beat of "+b.Part, err)
}

// Beats returns the newest beat of each part, by part.
func (s *Store) Beats(ctx context.Context) (map[string]observation.Beat, error) {
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Operations, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:    aws.String("#kind = :kind"),
		ExpressionAttributeNames:  names("kind"),
		ExpressionAttributeValues: item{":kind": text(beatKind)},
	})
	beats := make(map[string]observation.Beat)
	err := each(rows, decode[beatRow], func(r beatRow) error {
		beats[r.Part] = observation.Beat{Part: r.Part, Tick: time.Time(r.Tick), At: r.At, Since: time.Time(r.Since), Config: r.Config}
		return nil
	})
	return beats, failed("read the beats", err)
}
