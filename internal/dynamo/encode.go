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

// encoding sets which struct tags the encoder reads: rows have dynamodbav tags, while
// notices and attempts, stored as they are, have json tags.
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
	return row, badAttribute[T](it, err)
}

// badAttribute finds the attribute that could not be decoded by decoding each alone,
// since the decoder does not name it.
func badAttribute[T any](it item, err error) error {
	for _, name := range slices.Sorted(maps.Keys(it)) {
		var row T
		if one := attributevalue.UnmarshalMapWithOptions(item{name: it[name]}, &row, decoding); one != nil {
			return fmt.Errorf("attribute %s: %w", name, one)
		}
	}
	return err
}

// requireTexts reports the first required attribute that is missing, empty or not
// text: the decoder accepts more than this package writes.
func requireTexts(it item, attributes ...string) error {
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

// requireNumbers does the same for numbers.
func requireNumbers(it item, attributes ...string) error {
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

// epoch returns a time to live in whole seconds; zero for a row that does not expire.
func epoch(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// expiry returns when a row expires that is kept for a period from a given time on;
// the zero time if never.
func expiry(from time.Time, kept time.Duration) time.Time {
	if kept <= 0 || from.IsZero() {
		return time.Time{}
	}
	return from.Add(kept)
}

func isNull(av types.AttributeValue) bool {
	_, null := av.(*types.AttributeValueMemberNULL)
	return null
}
