package dynamo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Rows carry dynamodbav tags; notices and attempts, which are stored as they
// are, carry json tags, and the encoder reads both.
func encoding(o *attributevalue.EncoderOptions) {
	o.TagKey = "json"
	o.EncodeTime = encodeTime
	o.OmitEmptyTime = true
	o.OmitNullAttributeValues = true
}

func decoding(o *attributevalue.DecoderOptions) {
	o.TagKey = "json"
	o.DecodeTime.S = parseStamp
}

func encode(row any) (item, error) { return attributevalue.MarshalMapWithOptions(row, encoding) }

// decode reads a row. Absent attributes leave zero values; an attribute of the
// wrong type is an error that names it.
func decode[T any](it item) (T, error) {
	var row T
	err := attributevalue.UnmarshalMapWithOptions(it, &row, decoding)
	if err == nil {
		return row, nil
	}
	return row, culprit[T](it, err)
}

// culprit finds the attribute that could not be read by reading each alone: the
// decoder does not say which it was.
func culprit[T any](it item, err error) error {
	for _, name := range slices.Sorted(maps.Keys(it)) {
		var row T
		if one := attributevalue.UnmarshalMapWithOptions(item{name: it[name]}, &row, decoding); one != nil {
			return fmt.Errorf("attribute %s: %w", name, one)
		}
	}
	return err
}

// texts reports the first attribute that a row cannot do without and that is
// missing, empty or no text: the decoder takes more than we write.
func texts(it item, attributes ...string) error {
	for _, name := range attributes {
		s, err := asText(it[name])
		if err == nil && s == "" {
			err = errors.New("empty")
		}
		if err != nil {
			return fmt.Errorf("attribute %s: %w", name, err)
		}
	}
	return nil
}

// numbers does the same for numbers.
func numbers(it item, attributes ...string) error {
	for _, name := range attributes {
		if _, ok := it[name].(*types.AttributeValueMemberN); !ok {
			return fmt.Errorf("attribute %s: missing or no number", name)
		}
	}
	return nil
}

var errNotText = errors.New("missing or no text")

func asText(av types.AttributeValue) (string, error) {
	s, ok := av.(*types.AttributeValueMemberS)
	if !ok {
		return "", errNotText
	}
	return s.Value, nil
}

// epoch is a time to live: whole seconds, nothing for a row that is kept.
func epoch(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// after is when a row expires that is kept for a time from a moment on; zero is
// never.
func after(from time.Time, kept time.Duration) time.Time {
	if kept <= 0 || from.IsZero() {
		return time.Time{}
	}
	return from.Add(kept)
}

func isNull(av types.AttributeValue) bool {
	_, null := av.(*types.AttributeValueMemberNULL)
	return null
}
