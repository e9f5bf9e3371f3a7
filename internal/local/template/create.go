package template

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Create creates the missing tables and waits until all can be used. An existing
// table with other keys, indexes or stream is an error: another version created it.
func Create(ctx context.Context, client *dynamodb.Client, tables []Table) error {
	for _, t := range tables {
		if err := create(ctx, client, t); err != nil {
			return fmt.Errorf("create table %s: %w", t.Name(), err)
		}
	}
	return nil
}

func create(ctx context.Context, client *dynamodb.Client, t Table) error {
	_, err := client.CreateTable(ctx, t.Create)
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return err
	}
	ask := &dynamodb.DescribeTableInput{TableName: t.Create.TableName}
	found, err := dynamodb.NewTableExistsWaiter(client, quickly).WaitForOutput(ctx, ask, time.Minute)
	if err != nil {
		return err
	}
	if !matches(found.Table, t.Create) {
		return fmt.Errorf("it exists with other keys, indexes or stream; remove the directory of the local state to start anew")
	}
	return expire(ctx, client, t)
}

func quickly(o *dynamodb.TableExistsWaiterOptions) {
	o.MinDelay, o.MaxDelay = 20*time.Millisecond, time.Second
}

// expire enables the time to live, which CreateTable cannot.
func expire(ctx context.Context, client *dynamodb.Client, t Table) error {
	if t.TimeToLive == "" {
		return nil
	}
	is, err := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: t.Create.TableName})
	if err != nil {
		return fmt.Errorf("read its time to live: %w", err)
	}
	if d := is.TimeToLiveDescription; d != nil && aws.ToString(d.AttributeName) == t.TimeToLive {
		return nil
	}
	_, err = client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: t.Create.TableName,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: &t.TimeToLive, Enabled: aws.Bool(true),
		},
	})
	if err != nil {
		return fmt.Errorf("set its time to live: %w", err)
	}
	return nil
}

// matches compares the properties that only a new table can change.
func matches(found *types.TableDescription, want *dynamodb.CreateTableInput) bool {
	var has, wants []string
	for _, i := range found.GlobalSecondaryIndexes {
		has = append(has, describe(i.IndexName, i.KeySchema, i.Projection))
	}
	for _, i := range want.GlobalSecondaryIndexes {
		wants = append(wants, describe(i.IndexName, i.KeySchema, i.Projection))
	}
	slices.Sort(has)
	slices.Sort(wants)
	return slices.Equal(has, wants) &&
		describe(nil, found.KeySchema, nil) == describe(nil, want.KeySchema, nil) &&
		view(found.StreamSpecification) == view(want.StreamSpecification)
}

func describe(name *string, keys []types.KeySchemaElement, p *types.Projection) string {
	d := aws.ToString(name)
	for _, k := range keys {
		d += " " + aws.ToString(k.AttributeName) + ":" + string(k.KeyType)
	}
	if p != nil {
		attributes := slices.Sorted(slices.Values(p.NonKeyAttributes))
		d += fmt.Sprintf(" %s %v", p.ProjectionType, attributes)
	}
	return d
}

func view(s *types.StreamSpecification) types.StreamViewType {
	if s == nil || !aws.ToBool(s.StreamEnabled) {
		return ""
	}
	return s.StreamViewType
}
