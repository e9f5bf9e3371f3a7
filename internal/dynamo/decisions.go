package dynamo

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/incident"
)

const decisionPrefix = "decision#"

type decisionRow struct {
	IncidentKey string            `dynamodbav:"incident_key"`
	Record      string            `dynamodbav:"record"`
	Seq         int64             `dynamodbav:"seq"`
	Episode     int               `dynamodbav:"episode"`
	Sequence    int               `dynamodbav:"sequence"`
	Action      string            `dynamodbav:"action"`
	Reason      string            `dynamodbav:"reason,omitempty"`
	Tick        tick              `dynamodbav:"tick,omitempty"`
	Source      string            `dynamodbav:"source,omitempty"`
	To          []string          `dynamodbav:"to,omitempty"`
	Left        int               `dynamodbav:"left,omitempty"`
	PolicyHash  string            `dynamodbav:"policy_hash,omitempty"`
	ConfigHash  string            `dynamodbav:"config_hash,omitempty"`
	DecidedAt   time.Time         `dynamodbav:"decided_at,omitempty"`
	Silenced    map[string]string `dynamodbav:"silenced,omitempty"`
	Note        string            `dynamodbav:"note,omitempty"`
	ExpiresAt   int64             `dynamodbav:"expires_at,omitempty"`
}

func (s *Store) decisionItem(d incident.Decision) (item, error) {
	return encode(decisionRow{
		IncidentKey: d.IncidentKey, Record: decisionRecord(d.Seq),
		Seq: d.Seq, Episode: d.Episode, Sequence: d.Sequence, Action: string(d.Action),
		Reason: d.Reason, Tick: tick(d.Tick), Source: d.Source, To: d.To, Left: d.Left, PolicyHash: d.PolicyHash,
		ConfigHash: d.ConfigHash, DecidedAt: d.DecidedAt, Silenced: d.Silenced, Note: d.Note,
		ExpiresAt: epoch(expiry(d.DecidedAt, s.decisionsKept)),
	})
}

func decisionRecord(seq int64) string { return fmt.Sprintf("%s%012d", decisionPrefix, seq) }

func decisionFromItem(it item) (incident.Decision, error) {
	r, err := decode[decisionRow](it)
	if err != nil {
		return incident.Decision{}, fmt.Errorf("%s of %s: %w", r.Record, r.IncidentKey, err)
	}
	return incident.Decision{
		IncidentKey: r.IncidentKey, Seq: r.Seq, Episode: r.Episode, Sequence: r.Sequence,
		Action: incident.Action(r.Action), Reason: r.Reason, Tick: time.Time(r.Tick),
		Source: r.Source, To: r.To, Left: r.Left, PolicyHash: r.PolicyHash, ConfigHash: r.ConfigHash, DecidedAt: r.DecidedAt, Silenced: r.Silenced, Note: r.Note,
	}, nil
}

// Decisions returns a key's log of decisions, oldest first.
func (s *Store) Decisions(ctx context.Context, key string) ([]incident.Decision, error) {
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Incidents, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:    aws.String("#incident_key = :key AND begins_with(#record, :decision)"),
		ExpressionAttributeNames:  names("incident_key", "record"),
		ExpressionAttributeValues: item{":key": text(key), ":decision": text(decisionPrefix)},
	})
	all, err := collect(rows, decisionFromItem, 0)
	return all, failed("read decisions of "+key, err)
}
