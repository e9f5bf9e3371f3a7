package dynamo

import (
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/observation"
)

// busyCodes are the errors after which the same request may be sent again. The SDK
// has already retried those that it retries; it does not retry a cancelled
// transaction ("Error handling with DynamoDB", DynamoDB Developer Guide).
var busyCodes = map[string]bool{
	"ProvisionedThroughputExceededException": true,
	"RequestLimitExceeded":                   true,
	"ThrottlingException":                    true,
	"TransactionConflictException":           true,
	"TransactionInProgressException":         true,
}

// busyReasons are the same as reasons of a cancelled transaction.
var busyReasons = map[string]bool{
	"TransactionConflict":           true,
	"ProvisionedThroughputExceeded": true,
	"ThrottlingError":               true,
}

const conditionReason = "ConditionalCheckFailed"

// failed wraps an error with the operation and, where it applies, incident.ErrBusy.
// It returns nil for nil.
func failed(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case isBusy(err) && !errors.Is(err, incident.ErrBusy):
		return fmt.Errorf("%s: %w: %w", doing, incident.ErrBusy, err)
	default:
		return fmt.Errorf("%s: %w", doing, err)
	}
}

// unwritable marks an error that the row itself causes. DynamoDB answers a row of
// more than 400 KB, a key of more than 2,048 bytes and an empty key with this code
// ("Error handling with DynamoDB" and "Quotas", DynamoDB Developer Guide).
func unwritable(err error) error {
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorCode() == "ValidationException" {
		return fmt.Errorf("%w: %w", observation.ErrUnwritable, err)
	}
	return err
}

func isBusy(err error) bool {
	var api smithy.APIError
	if errors.As(err, &api) && busyCodes[api.ErrorCode()] {
		return true
	}
	for _, r := range cancelled(err) {
		if busyReasons[aws.ToString(r.Code)] {
			return true
		}
	}
	return false
}

// cancelled returns the reasons of a cancelled transaction, in item order.
func cancelled(err error) []types.CancellationReason {
	var c *types.TransactionCanceledException
	if !errors.As(err, &c) {
		return nil
	}
	return c.CancellationReasons
}

// firstRefused reports a cancelled transaction whose first write failed its
// condition.
func firstRefused(err error) bool {
	reasons := cancelled(err)
	return len(reasons) > 0 && refused(reasons[0])
}

func refused(r types.CancellationReason) bool { return aws.ToString(r.Code) == conditionReason }

// conditionFailed reports a single write that failed its condition, with the existing
// row if the request asked for it and there is one.
func conditionFailed(err error) (item, bool) {
	var c *types.ConditionalCheckFailedException
	if !errors.As(err, &c) {
		return nil, false
	}
	return c.Item, true
}
