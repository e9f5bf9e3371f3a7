package dynamo

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestItemSize(t *testing.T) {
	list := &types.AttributeValueMemberL{Value: []types.AttributeValue{text("abc"), number(7)}}
	for name, c := range map[string]struct {
		value types.AttributeValue
		want  int
	}{
		"text":   {text("grün"), 5},
		"number": {number(1234), 4},
		"bytes":  {&types.AttributeValueMemberB{Value: make([]byte, 9)}, 9},
		"truth":  {&types.AttributeValueMemberBOOL{Value: true}, 1},
		"null":   {&types.AttributeValueMemberNULL{Value: true}, 1},
		"texts":  {&types.AttributeValueMemberSS{Value: []string{"a", "bc"}}, 3},
		"list":   {list, 3 + 1 + 3 + 1 + 2},
		"map":    {&types.AttributeValueMemberM{Value: item{"ab": text("c")}}, 3 + 1 + 2 + 1},
	} {
		if got := itemSize(item{"name": c.value}); got != len("name")+c.want {
			t.Errorf("%s is %d bytes, want %d", name, got, len("name")+c.want)
		}
	}
}

func TestCheckSizes(t *testing.T) {
	of := func(n, bytes int) (writes []write) {
		for range n {
			writes = append(writes, absent("the delivery", "t", item{"x": text(strings.Repeat("x", bytes-1))}))
		}
		return writes
	}
	for name, c := range map[string]struct {
		writes []write
		want   string
	}{
		"a full transaction":   {of(100, 1), ""},
		"too many rows":        {of(101, 1), "101 rows"},
		"the largest row":      {of(1, 400<<10), ""},
		"too large a row":      {of(1, 400<<10+1), "the delivery is 409601 bytes"},
		"the largest in all":   {of(16, 256<<10), ""},
		"too large in all":     {of(17, 256<<10), "4456448 bytes in one transaction"},
		"says what to do":      {of(101, 1), "fewer destinations"},
		"says what to shorten": {of(1, 400<<10+1), "shorten its summary"},
	} {
		err := checkSizes(c.writes)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", name, err, c.want)
		}
	}
}
