package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

const policyKind = "policy"

type policyRow struct {
	Kind    string `dynamodbav:"kind"`
	ID      string `dynamodbav:"id"`
	Content string `dynamodbav:"content"`
}

// PutPolicy stores the content of a policy under its hash, unless it is stored
// already.
func (s *Store) PutPolicy(ctx context.Context, hash string, content []byte) error {
	it, err := encode(policyRow{Kind: policyKind, ID: hash, Content: string(content)})
	if err != nil {
		return failed("keep policy "+hash, err)
	}
	_, err = s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.tables.Operations, Item: it,
		ConditionExpression:      aws.String("attribute_not_exists(#kind)"),
		ExpressionAttributeNames: names("kind"),
	})
	if _, exists := conditionFailed(err); exists {
		return nil
	}
	return failed("keep policy "+hash, err)
}

// Policy reads what PutPolicy stored; nil when no policy has that hash.
func (s *Store) Policy(ctx context.Context, hash string) ([]byte, error) {
	it, err := s.get(ctx, s.tables.Operations, operationKey(policyKind, hash))
	if err != nil || it == nil {
		return nil, failed("read policy "+hash, err)
	}
	row, err := decode[policyRow](it)
	return []byte(row.Content), failed("read policy "+hash, err)
}
