package preset

import (
	"slices"
	"testing"
)

func TestNamesAreSorted(t *testing.T) {
	if names := Names(); len(names) == 0 || !slices.IsSorted(names) {
		t.Errorf("%q", names)
	}
}
