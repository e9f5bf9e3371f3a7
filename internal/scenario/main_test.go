package scenario_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

func newDynamoStore(t *testing.T) store {
	t.Helper()
	return dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), enginetest.Stack(t))
}
