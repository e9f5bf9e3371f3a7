package template

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Table is a table to create.
type Table struct {
	// ID is the table's logical id in the template.
	ID string
	// Create is the request that creates it.
	Create *dynamodb.CreateTableInput
	// TimeToLive is the attribute by which rows expire; empty for none.
	TimeToLive string
}

// Name returns the table's name.
func (t Table) Name() string { return aws.ToString(t.Create.TableName) }

// tableProperties are the properties of AWS::DynamoDB::Table that a template of ours
// may use. Encryption and recovery have no effect on a person's machine.
type tableProperties struct {
	TableName                 string
	BillingMode               types.BillingMode
	DeletionProtectionEnabled any
	AttributeDefinitions      []types.AttributeDefinition
	KeySchema                 []types.KeySchemaElement
	GlobalSecondaryIndexes    []types.GlobalSecondaryIndex
	StreamSpecification       *types.StreamSpecification
	TimeToLiveSpecification   struct {
		AttributeName string
		Enabled       bool
	}
	Tags                             any
	SSESpecification                 any
	PointInTimeRecoverySpecification any
}

// Tables returns the stack's DynamoDB tables.
func (s *Stack) Tables() ([]Table, error) {
	var tables []Table
	for _, r := range s.Resources("AWS::DynamoDB::Table") {
		t, err := table(r)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", r.ID, err)
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// table reads CloudFormation's properties, which have the API's names. An unknown
// property is an error, so that no setting of the deployed table is silently dropped.
func table(r Resource) (Table, error) {
	content, err := json.Marshal(r.Properties)
	if err != nil {
		return Table{}, err
	}
	var p tableProperties
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&p); err != nil {
		return Table{}, fmt.Errorf("the local stack cannot read its properties: %w", err)
	}
	if p.TableName == "" {
		return Table{}, fmt.Errorf("TableName is missing or has no answer without AWS")
	}
	if p.StreamSpecification != nil {
		// CloudFormation has no such property: specifying a stream enables it.
		p.StreamSpecification.StreamEnabled = aws.Bool(true)
	}
	t := Table{ID: r.ID, Create: &dynamodb.CreateTableInput{
		TableName: &p.TableName, BillingMode: p.BillingMode, AttributeDefinitions: p.AttributeDefinitions,
		KeySchema: p.KeySchema, GlobalSecondaryIndexes: p.GlobalSecondaryIndexes,
		StreamSpecification: p.StreamSpecification,
	}}
	if p.TimeToLiveSpecification.Enabled {
		t.TimeToLive = p.TimeToLiveSpecification.AttributeName
	}
	return t, nil
}
