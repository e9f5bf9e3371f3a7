package streamevent

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// whole is an event as Lambda hands it over, with every type of DynamoDB's.
const whole = `{"Records":[
 {"eventID":"f07f8ca4","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"eu-central-1",
  "dynamodb":{"ApproximateCreationDateTime":1773482400,"SizeBytes":54,"StreamViewType":"NEW_IMAGE",
   "SequenceNumber":"1405400000000002063282832","Keys":{"k":{"S":"a"}},
   "NewImage":{"k":{"S":"a"},"n":{"N":"-1.5e+3"},"b":{"B":"AAEqQQ=="},"t":{"BOOL":false},"z":{"NULL":true},
    "ss":{"SS":["x","y"]},"ns":{"NS":["1","2"]},"bs":{"BS":["AA=="]},"l":{"L":[{"S":""},{"M":{"in":{"N":"7"}}}]},"m":{"M":{}}}},
  "eventSourceARN":"arn:aws:dynamodb:eu-central-1:123456789012:table/t/stream/2026-03-14T00:00:00.000"},
 {"eventName":"REMOVE","userIdentity":{"type":"Service","principalId":"dynamodb.amazonaws.com"},
  "dynamodb":{"SequenceNumber":"1405400000000002063282833","Keys":{"k":{"S":"a"}}}}
]}`

var ignore = cmpopts.IgnoreUnexported(
	types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{},
	types.AttributeValueMemberBOOL{}, types.AttributeValueMemberNULL{}, types.AttributeValueMemberSS{},
	types.AttributeValueMemberNS{}, types.AttributeValueMemberBS{}, types.AttributeValueMemberL{}, types.AttributeValueMemberM{})

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func TestDecode(t *testing.T) {
	got, err := Decode([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	want := []Record{
		{
			SequenceNumber: "1405400000000002063282832", EventName: Insert,
			Keys: map[string]types.AttributeValue{"k": text("a")},
			NewImage: map[string]types.AttributeValue{
				"k": text("a"), "n": &types.AttributeValueMemberN{Value: "-1.5e+3"},
				"b": &types.AttributeValueMemberB{Value: []byte{0, 1, 42, 65}}, "t": &types.AttributeValueMemberBOOL{},
				"z": &types.AttributeValueMemberNULL{Value: true}, "ss": &types.AttributeValueMemberSS{Value: []string{"x", "y"}},
				"ns": &types.AttributeValueMemberNS{Value: []string{"1", "2"}}, "bs": &types.AttributeValueMemberBS{Value: [][]byte{{0}}},
				"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{text(""), &types.AttributeValueMemberM{
					Value: map[string]types.AttributeValue{"in": &types.AttributeValueMemberN{Value: "7"}},
				}}},
				"m": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}},
			},
		},
		{SequenceNumber: "1405400000000002063282833", EventName: Remove, Keys: map[string]types.AttributeValue{"k": text("a")}},
	}
	if diff := cmp.Diff(want, got, ignore); diff != "" {
		t.Errorf("records differ (- want, + got):\n%s", diff)
	}
}

func TestNoEvent(t *testing.T) {
	for _, event := range []string{"", "null", "[]", "{}", `{"Records":null}`, `{"Records":{}}`, `{"Records":[`, `{"records":[]}`, `"x"`} {
		if _, err := Decode([]byte(event)); err == nil {
			t.Errorf("%s: no error", event)
		}
	}
	if records, err := Decode([]byte(`{"Records":[]}`)); err != nil || len(records) != 0 {
		t.Errorf("an empty event: %v, error %v", records, err)
	}
}

// TestMalformedRecord: one broken record says what is broken, and is told apart
// by its sequence number; its neighbours are read (case O5).
func TestMalformedRecord(t *testing.T) {
	image := func(value string) string {
		return `{"eventName":"INSERT","dynamodb":{"SequenceNumber":"2","Keys":{"k":{"S":"a"}},"NewImage":{"k":{"S":"a"},"x":` + value + `}}}`
	}
	for _, c := range []struct{ record, number, want string }{
		{`null`, "", "null"},
		{`7`, "", "want an object, have a JSON number"},
		{`{}`, "", "dynamodb: missing"},
		{`{"dynamodb":[]}`, "", "dynamodb: want an object"},
		{`{"dynamodb":{}}`, "", "SequenceNumber: missing"},
		{`{"dynamodb":{"SequenceNumber":2}}`, "", "SequenceNumber: want a text, have a JSON number"},
		{`{"dynamodb":{"SequenceNumber":""}}`, "", "SequenceNumber: empty"},
		{`{"dynamodb":{"SequenceNumber":"2"}}`, "2", "eventName: missing"},
		{`{"eventName":"UPSERT","dynamodb":{"SequenceNumber":"2","Keys":{"k":{"S":"a"}}}}`, "2", `"UPSERT" is none of INSERT`},
		{`{"eventName":"INSERT","dynamodb":{"SequenceNumber":"2"}}`, "2", "Keys: missing"},
		{`{"eventName":"INSERT","dynamodb":{"SequenceNumber":"2","Keys":{}}}`, "2", "Keys: empty"},
		{`{"eventName":"INSERT","dynamodb":{"SequenceNumber":"2","Keys":{"k":{"S":"a"}}}}`, "2", "NewImage: missing"},
		{image(`"plain"`), "2", "NewImage: x: want an object, have a JSON string"},
		{image(`{}`), "2", "NewImage: x: want one type, have 0"},
		{image(`{"S":"a","N":"1"}`), "2", "NewImage: x: want one type, have 2"},
		{image(`{"S":7}`), "2", "NewImage: x: S: want a text, have a JSON number"},
		{image(`{"S":null}`), "2", "NewImage: x: S: null"},
		{image(`{"N":7}`), "2", "NewImage: x: N: want a text"},
		{image(`{"N":"NaN"}`), "2", "NewImage: x: N: no number"},
		{image(`{"N":"0x1p-2"}`), "2", "NewImage: x: N: no number"},
		{image(`{"B":"%"}`), "2", "NewImage: x: B: unreadable"},
		{image(`{"BOOL":"true"}`), "2", "NewImage: x: BOOL: want true or false"},
		{image(`{"SS":["a",null]}`), "2", "NewImage: x: SS: element 2: null"},
		{image(`{"NS":["1","b"]}`), "2", "NewImage: x: NS: element 2: no number"},
		{image(`{"L":{}}`), "2", "NewImage: x: L: want a list, have a JSON object"},
		{image(`{"L":[{"M":{"y":{"Q":1}}}]}`), "2", "NewImage: x: L: element 1: M: y: Q: no type of DynamoDB's"},
		{image(`{"M":[]}`), "2", "NewImage: x: M: want an object"},
		{image(strings.Repeat(`{"L":[`, 40) + strings.Repeat(`]}`, 40)), "2", "nested deeper than 32"},
	} {
		good := `{"eventName":"REMOVE","dynamodb":{"SequenceNumber":"%d","Keys":{"k":{"S":"a"}}}}`
		event := fmt.Sprintf(`{"Records":[`+good+`,%s,`+good+`]}`, 1, c.record, 3)
		records, err := Decode([]byte(event))
		if err != nil || len(records) != 3 {
			t.Errorf("%s: %d records, error %v", c.record, len(records), err)
			continue
		}
		broken := records[1]
		if broken.Err == nil || !strings.Contains(broken.Err.Error(), c.want) || broken.SequenceNumber != c.number || broken.Keys != nil || broken.NewImage != nil {
			t.Errorf("%s: record %+v, want number %q and an error with %q", c.record, broken, c.number, c.want)
		}
		if records[0].Err != nil || records[2].Err != nil || records[2].SequenceNumber != "3" {
			t.Errorf("%s: its neighbours are %+v and %+v", c.record, records[0], records[2])
		}
	}
}

// FuzzDecode: nothing panics, and no record passes without what a function needs
// of it.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"Records":[{"eventName":"INSERT","dynamodb":{"SequenceNumber":"1","Keys":{"k":{"S":"a"}}}}]}`))
	f.Add([]byte(`{"Records":[{"dynamodb":{"NewImage":{"a":{"L":[{"M":{"b":{"BS":["AA=="]}}}]}}}},null,7]}`))
	f.Fuzz(func(t *testing.T, event []byte) {
		records, err := Decode(event)
		if err != nil && records != nil {
			t.Errorf("%d records with error %v", len(records), err)
		}
		for _, r := range records {
			usable := r.SequenceNumber != "" && len(r.Keys) > 0 && (r.EventName == Remove || len(r.NewImage) > 0)
			if usable != (r.Err == nil) {
				t.Errorf("record %+v: usable %v", r, usable)
			}
		}
	})
}
