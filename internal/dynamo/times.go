package dynamo

import (
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/observation"
)

const stampLayout = "2006-01-02T15:04:05.000Z"

// formatStamp renders a time to the millisecond, truncated.
func formatStamp(t time.Time) string { return t.UTC().Format(stampLayout) }

func parseStamp(s string) (time.Time, error) {
	t, err := time.Parse(stampLayout, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("time %q: want the form %s", s, stampLayout)
	}
	return t.UTC(), nil
}

// encodeTime omits a time that it could not read back. Only a vendor's own times can
// have other than four-digit years; they are evidence, and no decision depends on
// them.
func encodeTime(t time.Time) (types.AttributeValue, error) {
	if year := t.UTC().Year(); t.IsZero() || year < 1 || year > 9999 {
		return &types.AttributeValueMemberNULL{Value: true}, nil
	}
	return text(formatStamp(t)), nil
}

// tick is a time that is stored in the format of observation.FormatTick; the zero
// tick is not stored.
type tick time.Time

func (t tick) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	if time.Time(t).IsZero() {
		return &types.AttributeValueMemberNULL{Value: true}, nil
	}
	return text(observation.FormatTick(time.Time(t))), nil
}

func (t *tick) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	s, err := asText(av)
	if err != nil {
		return err
	}
	parsed, err := observation.ParseTick(s)
	*t = tick(parsed)
	return err
}

func ticks(all []time.Time) []tick {
	var out []tick
	for _, t := range all {
		out = append(out, tick(t))
	}
	return out
}

func times(all []tick) []time.Time {
	var out []time.Time
	for _, t := range all {
		out = append(out, time.Time(t))
	}
	return out
}
