package mapping

import (
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// event encodes a batch as the event that Lambda passes to a function.
func (m *Mapping) event(batch []record) []byte {
	records := make([]any, len(batch))
	for i, r := range batch {
		records[i] = eventRecord(r.Record, m.StreamARN)
	}
	return encode(map[string]any{"Records": records})
}

func eventRecord(r types.Record, streamARN string) map[string]any {
	d := map[string]any{
		"Keys":           image(r.Dynamodb.Keys),
		"SequenceNumber": aws.ToString(r.Dynamodb.SequenceNumber),
		"SizeBytes":      aws.ToInt64(r.Dynamodb.SizeBytes),
		"StreamViewType": string(r.Dynamodb.StreamViewType),
	}
	if t := r.Dynamodb.ApproximateCreationDateTime; t != nil {
		d["ApproximateCreationDateTime"] = t.Unix()
	}
	if r.Dynamodb.NewImage != nil {
		d["NewImage"] = image(r.Dynamodb.NewImage)
	}
	if r.Dynamodb.OldImage != nil {
		d["OldImage"] = image(r.Dynamodb.OldImage)
	}
	e := map[string]any{
		"eventID":        aws.ToString(r.EventID),
		"eventName":      string(r.EventName),
		"eventVersion":   aws.ToString(r.EventVersion),
		"eventSource":    aws.ToString(r.EventSource),
		"awsRegion":      aws.ToString(r.AwsRegion),
		"dynamodb":       d,
		"eventSourceARN": streamARN,
	}
	if u := r.UserIdentity; u != nil {
		e["userIdentity"] = map[string]any{"type": aws.ToString(u.Type), "principalId": aws.ToString(u.PrincipalId)}
	}
	return e
}

func image(item map[string]types.AttributeValue) map[string]any {
	attributes := make(map[string]any, len(item))
	for name, value := range item {
		attributes[name] = attribute(value)
	}
	return attributes
}

// attribute returns a value in DynamoDB's JSON: its type, then its content. Binary
// content becomes base64, as encoding/json encodes bytes.
func attribute(value types.AttributeValue) map[string]any {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return map[string]any{"S": v.Value}
	case *types.AttributeValueMemberN:
		return map[string]any{"N": v.Value}
	case *types.AttributeValueMemberB:
		return map[string]any{"B": v.Value}
	case *types.AttributeValueMemberBOOL:
		return map[string]any{"BOOL": v.Value}
	case *types.AttributeValueMemberNULL:
		return map[string]any{"NULL": v.Value}
	case *types.AttributeValueMemberSS:
		return map[string]any{"SS": v.Value}
	case *types.AttributeValueMemberNS:
		return map[string]any{"NS": v.Value}
	case *types.AttributeValueMemberBS:
		return map[string]any{"BS": v.Value}
	case *types.AttributeValueMemberM:
		return map[string]any{"M": image(v.Value)}
	case *types.AttributeValueMemberL:
		list := make([]any, len(v.Value))
		for i, element := range v.Value {
			list[i] = attribute(element)
		}
		return map[string]any{"L": list}
	default:
		return map[string]any{}
	}
}

// encode encodes a value that JSON can express.
func encode(value any) []byte {
	content, err := json.Marshal(value)
	if err != nil {
		panic("mapping: an event cannot be encoded: " + err.Error())
	}
	return content
}
