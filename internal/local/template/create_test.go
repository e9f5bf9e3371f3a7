package template

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/local/engine"
)

func TestCreate(t *testing.T) {
	db := filepath.Join(t.TempDir(), "local.db")
	var tables []Table
	for _, table := range ours(t, "ring") {
		tables = append(tables, table)
	}
	slices.SortFunc(tables, func(a, b Table) int { return strings.Compare(a.ID, b.ID) })

	// Once on an empty engine, again over what is there, again after a restart.
	for _, again := range []bool{false, true} {
		e, err := engine.Start(t.Context(), engine.Options{DBPath: db})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := e.Stop(); err != nil {
				t.Error(err)
			}
		})
		client := dynamodb.NewFromConfig(e.Config())
		for range 2 {
			if err := Create(t.Context(), client, tables); err != nil {
				t.Fatal(err)
			}
		}
		created(t, client, tables)
		if again {
			createdOtherwise(t, client, tables)
		}
		if err := e.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func created(t *testing.T, client *dynamodb.Client, tables []Table) {
	t.Helper()
	for _, table := range tables {
		d, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: table.Create.TableName})
		if err != nil {
			t.Fatal(err)
		}
		if !matches(d.Table, table.Create) {
			t.Errorf("%s was made as %+v", table.Name(), d.Table)
		}
		ttl, err := client.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: table.Create.TableName})
		if err != nil || aws.ToString(ttl.TimeToLiveDescription.AttributeName) != "expires_at" {
			t.Errorf("time to live of %s: %v, error %v", table.Name(), ttl, err)
		}
	}
}

func createdOtherwise(t *testing.T, client *dynamodb.Client, tables []Table) {
	t.Helper()
	other := *tables[0].Create
	index := other.GlobalSecondaryIndexes[0]
	index.Projection = &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
	other.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{index}
	err := Create(t.Context(), client, []Table{{ID: "T", Create: &other}})
	if err == nil || !strings.Contains(err.Error(), *other.TableName) || !strings.Contains(err.Error(), "remove") {
		t.Errorf("error is %v, want one that names the table and what to do", err)
	}
}
