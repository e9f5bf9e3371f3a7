package stack

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/local/template"
)

// table is what the mappings need to know about a table.
type table struct {
	name string
	// stream is the ARN of its stream; empty if it has none.
	stream string
}

// makeTables creates the template's tables where they are missing and returns them by
// logical id.
func makeTables(ctx context.Context, cfg aws.Config, s *template.Stack) (map[string]table, error) {
	wanted, err := s.Tables()
	if err != nil {
		return nil, err
	}
	client := dynamodb.NewFromConfig(cfg)
	if err := template.Create(ctx, client, wanted); err != nil {
		return nil, err
	}
	tables := make(map[string]table, len(wanted))
	for _, w := range wanted {
		found, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Create.TableName})
		if err != nil {
			return nil, fmt.Errorf("describe table %s: %w", w.Name(), err)
		}
		tables[w.ID] = table{name: w.Name(), stream: aws.ToString(found.Table.LatestStreamArn)}
	}
	return tables, nil
}
