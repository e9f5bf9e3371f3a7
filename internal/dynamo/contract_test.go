package dynamo_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/enginetest"
	"github.com/ringonce/ringonce/internal/storetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		return dynamo.New(dynamodb.NewFromConfig(enginetest.Config()), enginetest.Stack(t))
	})
}
