package dynamo

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Delivery reads one outbox item, strongly consistent. It returns
// delivery.ErrNotFound when there is none.
func (s *Store) Delivery(ctx context.Context, ref delivery.Ref) (delivery.Delivery, error) {
	it, err := s.get(ctx, s.tables.Outbox, deliveryKey(ref))
	if err == nil && it == nil {
		err = delivery.ErrNotFound
	}
	if err != nil {
		return delivery.Delivery{}, failed(doing("read", ref), err)
	}
	return deliveryFromItem(it)
}

// Episode reads all outbox items of one episode, strongly consistent, by
// sequence and destination.
func (s *Store) Episode(ctx context.Context, key string, episode int) ([]delivery.Delivery, error) {
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.tables.Outbox, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:   aws.String("#incident_key = :key AND begins_with(#slot, :episode)"),
		ExpressionAttributeNames: names("incident_key", "slot"),
		ExpressionAttributeValues: item{
			":key": text(key), ":episode": text(delivery.EpisodePrefix(episode)),
		},
	})
	all, err := collect(rows, deliveryFromItem, 0)
	return all, failed(fmt.Sprintf("read deliveries of episode %d of %s", episode, key), err)
}

// Episodes yields the outbox items of a key's episodes from the first to the last
// one, in the order of their slots, until an error. It reads no other episodes, and
// may miss what was written in the last second.
func (s *Store) Episodes(ctx context.Context, key string, first, last int, yield func(delivery.Delivery) error) error {
	if first > last {
		return nil
	}
	rows := s.query(ctx, dynamodb.QueryInput{
		TableName:                &s.tables.Outbox,
		KeyConditionExpression:   aws.String("#incident_key = :key AND #slot BETWEEN :first AND :last"),
		ExpressionAttributeNames: names("incident_key", "slot"),
		ExpressionAttributeValues: item{
			":key": text(key), ":first": text(delivery.EpisodePrefix(first)),
			// "$" follows the "#" that ends an episode's number.
			":last": text(strings.TrimSuffix(delivery.EpisodePrefix(last), "#") + "$"),
		},
	})
	return failed("read deliveries of "+key, each(rows, deliveryFromItem, yield))
}

// Deliveries yields every outbox item, in no order, until an error.
func (s *Store) Deliveries(ctx context.Context, yield func(delivery.Delivery) error) error {
	rows := s.scan(ctx, dynamodb.ScanInput{TableName: &s.tables.Outbox})
	return failed("read all deliveries", each(rows, deliveryFromItem, yield))
}
