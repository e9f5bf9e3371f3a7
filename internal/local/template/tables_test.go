package template

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ours are the tables of the template that is deployed.
func ours(t *testing.T, stack string) map[string]Table {
	t.Helper()
	parsed, err := Load("../../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := parsed.Stack(stack, nil)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := s.Tables()
	if err != nil {
		t.Fatal(err)
	}
	byID := make(map[string]Table)
	for _, table := range tables {
		byID[table.ID] = table
	}
	return byID
}

func TestOurTables(t *testing.T) {
	tables := ours(t, "ring")
	for id, want := range map[string]struct{ name, keys, stream, indexes string }{
		"ObservationsTable": {"ring-observations", " incident_key:HASH observation_id:RANGE", "NEW_IMAGE", ""},
		"IncidentsTable":    {"ring-incidents", " incident_key:HASH record:RANGE", "", "active active:HASH incident_key:RANGE INCLUDE [sources]"},
		"OutboxTable":       {"ring-outbox", " incident_key:HASH slot:RANGE", "NEW_IMAGE", "due due_shard:HASH due_at:RANGE INCLUDE [action created_at destination episode sequence]" + "by_id id:HASH KEYS_ONLY []"},
		"OperationsTable":   {"ring-operations", " kind:HASH id:RANGE", "", ""},
	} {
		table, found := tables[id]
		if !found {
			t.Fatalf("no table %s", id)
		}
		if table.Name() != want.name {
			t.Errorf("%s is named %s, want %s", id, table.Name(), want.name)
		}
		if got := describe(nil, table.Create.KeySchema, nil); got != want.keys {
			t.Errorf("%s has keys%s, want%s", id, got, want.keys)
		}
		if got := string(view(table.Create.StreamSpecification)); got != want.stream {
			t.Errorf("%s has a stream of %q, want %q", id, got, want.stream)
		}
		indexes := ""
		for _, i := range table.Create.GlobalSecondaryIndexes {
			indexes += describe(i.IndexName, i.KeySchema, i.Projection)
		}
		if indexes != want.indexes {
			t.Errorf("%s has indexes %q, want %q", id, indexes, want.indexes)
		}
		if table.TimeToLive != "expires_at" || table.Create.BillingMode != types.BillingModePayPerRequest {
			t.Errorf("%s: time to live %q, billing %q", id, table.TimeToLive, table.Create.BillingMode)
		}
	}
	if len(tables) != 4 {
		t.Errorf("%d tables, want 4", len(tables))
	}
}

func TestTableMistakes(t *testing.T) {
	for name, c := range map[string]struct{ properties, want string }{
		"no name":             {"{BillingMode: PAY_PER_REQUEST}", "TableName is missing"},
		"a name only in AWS":  {"{TableName: !GetAtt T.Arn}", "table T"},
		"an unknown property": {"{TableName: x, KinesisStreamSpecification: {}}", "KinesisStreamSpecification"},
		"a condition":         {"{TableName: x, KeySchema: !If [C, [], []]}", "KeySchema"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := stackOf(t, "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties: "+c.properties, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Tables(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestMatches(t *testing.T) {
	outbox := ours(t, "ring")["OutboxTable"].Create
	as := func(change func(*types.TableDescription)) *types.TableDescription {
		d := &types.TableDescription{KeySchema: outbox.KeySchema, StreamSpecification: outbox.StreamSpecification}
		for _, i := range outbox.GlobalSecondaryIndexes {
			p := *i.Projection
			p.NonKeyAttributes = append([]string{}, p.NonKeyAttributes...)
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, types.GlobalSecondaryIndexDescription{
				IndexName: i.IndexName, KeySchema: i.KeySchema, Projection: &p,
			})
		}
		change(d)
		return d
	}
	for name, c := range map[string]struct {
		change func(*types.TableDescription)
		want   bool
	}{
		"the same":          {func(*types.TableDescription) {}, true},
		"no stream":         {func(d *types.TableDescription) { d.StreamSpecification = nil }, false},
		"no index":          {func(d *types.TableDescription) { d.GlobalSecondaryIndexes = nil }, false},
		"fewer attributes":  {func(d *types.TableDescription) { d.GlobalSecondaryIndexes[0].Projection.NonKeyAttributes = nil }, false},
		"other keys":        {func(d *types.TableDescription) { d.KeySchema = d.KeySchema[:1] }, false},
		"other index names": {func(d *types.TableDescription) { d.GlobalSecondaryIndexes[0].IndexName = aws.String("x") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := matches(as(c.change), outbox); got != c.want {
				t.Errorf("matches is %v, want %v", got, c.want)
			}
		})
	}
}
