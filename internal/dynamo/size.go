package dynamo

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Limits of one row and of one TransactWriteItems, from "Quotas in Amazon
// DynamoDB", DynamoDB Developer Guide.
const (
	maxItemBytes     = 400 << 10
	maxTransactItems = 100
	maxTransactBytes = 4 << 20
)

// checkSizes refuses writes that DynamoDB would refuse, with an error that names what
// is too large and the remedy; DynamoDB's own names neither.
func checkSizes(writes []write) error {
	if len(writes) > maxTransactItems {
		return fmt.Errorf("%d rows in one transaction, at most %d: configure fewer destinations for the owner",
			len(writes), maxTransactItems)
	}
	total := 0
	for _, w := range writes {
		size := itemSize(w.put.Item)
		if size > maxItemBytes {
			return fmt.Errorf("%s is %d bytes, at most %d: shorten its summary or evidence", w.what, size, maxItemBytes)
		}
		total += size
	}
	if total > maxTransactBytes {
		return fmt.Errorf("%d bytes in one transaction, at most %d: configure fewer destinations for the owner, or shorter evidence",
			total, maxTransactBytes)
	}
	return nil
}

// itemSize returns the size of a row in bytes, counted as "DynamoDB Item sizes and
// formats" in the Developer Guide does and rounded up.
func itemSize(it item) int {
	size := 0
	for name, av := range it {
		size += len(name) + valueSize(av)
	}
	return size
}

// valueSize returns the size of one value in bytes; a list or map takes 3 bytes, and
// 1 for each element.
func valueSize(av types.AttributeValue) int {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return len(v.Value)/2 + 2
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberSS:
		size := 0
		for _, s := range v.Value {
			size += len(s)
		}
		return size
	case *types.AttributeValueMemberL:
		size := 3
		for _, e := range v.Value {
			size += 1 + valueSize(e)
		}
		return size
	case *types.AttributeValueMemberM:
		return 3 + len(v.Value) + itemSize(v.Value)
	default:
		return 1
	}
}
