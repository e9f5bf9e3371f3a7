package dynamo

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
)

// usageRow has delivery.Usage's fields, in order, so that the compiler refuses
// the conversion when one is added there and not here. Its numbers are counters;
// its texts say what they count.
type usageRow struct {
	Day        string `dynamodbav:"day"`
	Owner      string `dynamodbav:"owner"`
	CostCenter string `dynamodbav:"cost_center"`
	Channel    string `dynamodbav:"channel"`
	Source     string `dynamodbav:"source"`
	DeliveryID string `dynamodbav:"-"`

	Attempted int64 `dynamodbav:"attempted"`
	Delivered int64 `dynamodbav:"delivered"`
	Repeated  int64 `dynamodbav:"repeated"`
	Held      int64 `dynamodbav:"held"`
	Dead      int64 `dynamodbav:"dead"`
	Digested  int64 `dynamodbav:"digested"`
}

// usageUpdate returns the update that adds to one shard of a day's counters of an
// owner, cost center, channel and source.
func (s *Store) usageUpdate(u delivery.Usage) (*types.Update, error) {
	row, err := encode(usageRow(u))
	if err != nil {
		return nil, err
	}
	var add, set []string
	values := make(item, len(row))
	for name, av := range row {
		values[":"+name] = av
		if _, counter := av.(*types.AttributeValueMemberN); counter {
			add = append(add, "#"+name+" :"+name)
		} else {
			set = append(set, "#"+name+" = :"+name)
		}
	}
	slices.Sort(add)
	slices.Sort(set)
	return &types.Update{
		TableName: &s.tables.Operations, Key: operationKey(usageKind(u.Day), usageID(u)),
		UpdateExpression:          aws.String("ADD " + strings.Join(add, ", ") + " SET " + strings.Join(set, ", ")),
		ExpressionAttributeNames:  names(slices.Collect(maps.Keys(row))...),
		ExpressionAttributeValues: values,
	}, nil
}

// usageKind returns the kind of a month's counters: usage#2026-01 for "2026-01-02".
func usageKind(day string) string { return "usage#" + day[:min(len("2006-01"), len(day))] }

func usageID(u delivery.Usage) string {
	parts := []string{u.Day, u.Owner, u.CostCenter, u.Channel, u.Source}
	for i, p := range parts {
		parts[i] = escaper.Replace(p)
	}
	return strings.Join(parts, "#") + "#" + shard(u.DeliveryID, usageShards)
}

// escaper escapes the separator of the parts inside a part.
var escaper = strings.NewReplacer("%", "%25", "#", "%23")
