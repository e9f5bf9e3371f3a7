package live

import (
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/stack"
)

// Tables returns the names of a local stack's tables.
func Tables(s *stack.Stack) dynamo.Tables {
	return dynamo.Tables{
		Observations: s.TableName("ObservationsTable"),
		Incidents:    s.TableName("IncidentsTable"),
		Outbox:       s.TableName("OutboxTable"),
		Operations:   s.TableName("OperationsTable"),
	}
}
