package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/silence"
)

const silenceKind = "silence"

// silenceKept is how long a silence is stored after its end, to explain later why
// nobody was notified.
const silenceKept = 400 * 24 * time.Hour

type silenceRow struct {
	Kind        string      `dynamodbav:"kind"`
	ID          string      `dynamodbav:"id"`
	Key         string      `dynamodbav:"key,omitempty"`
	Owner       string      `dynamodbav:"owner,omitempty"`
	Source      string      `dynamodbav:"source,omitempty"`
	Destination string      `dynamodbav:"destination,omitempty"`
	From        time.Time   `dynamodbav:"from,omitempty"`
	Until       time.Time   `dynamodbav:"until,omitempty"`
	Windows     []windowRow `dynamodbav:"windows,omitempty"`
	Zone        string      `dynamodbav:"zone,omitempty"`
	Reason      string      `dynamodbav:"reason,omitempty"`
	Author      string      `dynamodbav:"author,omitempty"`
	CreatedAt   time.Time   `dynamodbav:"created_at,omitempty"`
	EndedAt     time.Time   `dynamodbav:"ended_at,omitempty"`
	EndedBy     string      `dynamodbav:"ended_by,omitempty"`
	ExpiresAt   int64       `dynamodbav:"expires_at,omitempty"`
}

type windowRow struct {
	Days []time.Weekday `dynamodbav:"days,omitempty"`
	From silence.Clock  `dynamodbav:"from"`
	To   silence.Clock  `dynamodbav:"to"`
}

func silenceItem(s silence.Silence) (item, error) {
	row := silenceRow{
		Kind: silenceKind, ID: s.ID, Key: s.Match.Key, Owner: s.Match.Owner, Source: s.Match.Source,
		Destination: s.Match.Destination, From: s.From, Until: s.Until, Zone: s.Zone, Reason: s.Reason,
		Author: s.Author, CreatedAt: s.CreatedAt, EndedAt: s.EndedAt, EndedBy: s.EndedBy,
	}
	for _, w := range s.Windows {
		row.Windows = append(row.Windows, windowRow(w))
	}
	if !s.Until.IsZero() {
		row.ExpiresAt = epoch(s.Until.Add(silenceKept))
	}
	return encode(row)
}

func silenceFromItem(it item) (silence.Silence, error) {
	r, err := decode[silenceRow](it)
	if err == nil {
		err = requireTexts(it, "id")
	}
	s := silence.Silence{
		ID: r.ID, Match: silence.Match{Key: r.Key, Owner: r.Owner, Source: r.Source, Destination: r.Destination},
		From: r.From, Until: r.Until, Zone: r.Zone, Reason: r.Reason, Author: r.Author,
		CreatedAt: r.CreatedAt, EndedAt: r.EndedAt, EndedBy: r.EndedBy,
	}
	for _, w := range r.Windows {
		s.Windows = append(s.Windows, silence.Window(w))
	}
	return s, failed("silence "+r.ID, err)
}

// PutSilence stores a silence, or returns silence.ErrExists.
func (s *Store) PutSilence(ctx context.Context, one silence.Silence) error {
	it, err := silenceItem(one)
	if err != nil {
		return failed("write silence "+one.ID, err)
	}
	_, err = s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.tables.Operations, Item: it,
		ConditionExpression:      aws.String("attribute_not_exists(#kind)"),
		ExpressionAttributeNames: names("kind"),
	})
	if _, exists := conditionFailed(err); exists {
		err = silence.ErrExists
	}
	return failed("write silence "+one.ID, err)
}

// EndSilence records that a person ended a stored silence at a time. One that was
// ended before stays unchanged. It returns silence.ErrNotFound when no silence has
// that id.
func (s *Store) EndSilence(ctx context.Context, id, by string, at time.Time) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.tables.Operations, Key: operationKey(silenceKind, id),
		UpdateExpression: aws.String("SET #ended_at = if_not_exists(#ended_at, :at), #ended_by = if_not_exists(#ended_by, :by), " +
			"#expires_at = if_not_exists(#expires_at, :expires)"),
		ConditionExpression:      aws.String("attribute_exists(#kind)"),
		ExpressionAttributeNames: names("kind", "ended_at", "ended_by", "expires_at"),
		ExpressionAttributeValues: item{
			":at": text(formatStamp(at)), ":by": text(by), ":expires": number(epoch(at.Add(silenceKept))),
		},
	})
	if _, missing := conditionFailed(err); missing {
		err = silence.ErrNotFound
	}
	return failed("end silence "+id, err)
}

// Silences returns the stored silences, past ones too, by id. Rows that cannot be
// read are left out, and the error names them.
func (s *Store) Silences(ctx context.Context) (silence.Set, error) {
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Operations, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:    aws.String("#kind = :kind"),
		ExpressionAttributeNames:  names("kind"),
		ExpressionAttributeValues: item{":kind": text(silenceKind)},
	})
	var all silence.Set
	bad := silence.Unreadable{}
	err := each(rows, func(it item) (item, error) { return it, nil }, func(it item) error {
		one, err := silenceFromItem(it)
		if err != nil {
			id, _ := asText(it["id"])
			bad[id] = err
			return nil
		}
		all = append(all, one)
		return nil
	})
	if err == nil && len(bad) > 0 {
		err = bad
	}
	return all, failed("read the silences", err)
}
