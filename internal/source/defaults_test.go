package source

import (
	"testing"

	"github.com/ringonce/ringonce/internal/config"
)

// A source that was not read from a file has the bounds that configuration gives.
func TestDefaultsAreConfigurations(t *testing.T) {
	f := New(Options{}).newFetch(t.Context(), config.Source{})
	if p := f.src.Pagination; p.MaxPages != config.DefaultMaxPages || p.MaxBytes != config.DefaultMaxBytes {
		t.Errorf("%d pages of %d bytes", p.MaxPages, p.MaxBytes)
	}
}
