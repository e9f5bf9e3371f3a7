package memory_test

import (
	"testing"

	"github.com/ringonce/ringonce/internal/memory"
	"github.com/ringonce/ringonce/internal/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Store { return memory.New() })
}
