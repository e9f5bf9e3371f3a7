package streamevent

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// maxDepth is how deep DynamoDB allows values to nest, from "Quotas in Amazon
// DynamoDB", DynamoDB Developer Guide.
const maxDepth = 32

// number matches DynamoDB's numbers, which have no NaN or infinity.
var number = regexp.MustCompile(`^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$`)

// image decodes a row, or its keys.
func image(fields map[string]json.RawMessage, name string) (map[string]types.AttributeValue, error) {
	raw, err := field[map[string]json.RawMessage](fields, name)
	if err != nil {
		return nil, err
	}
	it, err := attributes(raw, maxDepth)
	if err == nil && len(it) == 0 {
		err = errors.New("empty")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return it, nil
}

func attributes(raw map[string]json.RawMessage, depth int) (map[string]types.AttributeValue, error) {
	m := make(map[string]types.AttributeValue, len(raw))
	for name, v := range raw {
		av, err := value(v, depth)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m[name] = av
	}
	return m, nil
}

// value decodes {"S": "text"}: an object of one member, named by its type.
func value(raw json.RawMessage, depth int) (types.AttributeValue, error) {
	if depth == 0 {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	typed, err := into[map[string]json.RawMessage](raw)
	if err != nil {
		return nil, err
	}
	if len(typed) != 1 {
		return nil, fmt.Errorf("want one type, have %d", len(typed))
	}
	for kind, content := range typed {
		av, err := typedValue(kind, content, depth)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		return av, nil
	}
	return nil, errMissing
}

func typedValue(kind string, raw json.RawMessage, depth int) (types.AttributeValue, error) {
	switch kind {
	case "S":
		v, err := into[string](raw)
		return &types.AttributeValueMemberS{Value: v}, err
	case "N":
		v, err := numeral(raw)
		return &types.AttributeValueMemberN{Value: v}, err
	case "B":
		v, err := into[[]byte](raw)
		return &types.AttributeValueMemberB{Value: v}, err
	case "BOOL":
		v, err := into[bool](raw)
		return &types.AttributeValueMemberBOOL{Value: v}, err
	case "NULL":
		v, err := into[bool](raw)
		return &types.AttributeValueMemberNULL{Value: v}, err
	default:
		return collection(kind, raw, depth)
	}
}

func collection(kind string, raw json.RawMessage, depth int) (types.AttributeValue, error) {
	switch kind {
	case "SS":
		v, err := list(raw, into[string])
		return &types.AttributeValueMemberSS{Value: v}, err
	case "NS":
		v, err := list(raw, numeral)
		return &types.AttributeValueMemberNS{Value: v}, err
	case "BS":
		v, err := list(raw, into[[]byte])
		return &types.AttributeValueMemberBS{Value: v}, err
	case "L":
		v, err := list(raw, func(e json.RawMessage) (types.AttributeValue, error) { return value(e, depth-1) })
		return &types.AttributeValueMemberL{Value: v}, err
	case "M":
		members, err := into[map[string]json.RawMessage](raw)
		if err != nil {
			return nil, err
		}
		v, err := attributes(members, depth-1)
		return &types.AttributeValueMemberM{Value: v}, err
	default:
		return nil, errors.New("no type of DynamoDB's")
	}
}

func numeral(raw json.RawMessage) (string, error) {
	v, err := into[string](raw)
	if err == nil && !number.MatchString(v) {
		err = errors.New("no number")
	}
	return v, err
}

func list[T any](raw json.RawMessage, element func(json.RawMessage) (T, error)) ([]T, error) {
	elements, err := into[[]json.RawMessage](raw)
	if err != nil {
		return nil, err
	}
	all := make([]T, len(elements))
	for i, e := range elements {
		if all[i], err = element(e); err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
	}
	return all, nil
}
