package source_test

import (
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
)

// What went wrong is kept in a row and told in a message, which hold only so much:
// a vendor that redirects to a host of 200,000 letters must not keep the source's
// own incident from being written.
func TestAProblemIsShort(t *testing.T) {
	server := answers(t, status(302, "Location", "https://"+strings.Repeat("a", 200_000)+".example.com/"))
	l := fetchWith(t, newVault(), plain(server.URL), nil)
	wantBroken(t, l, 0, "redirects to https://aaa")
	for _, p := range l.Problems {
		if n := len(p.String()); n > 1000 {
			t.Errorf("a problem of %d bytes", n)
		}
	}
}

func TestAnErrorOfASecondRequestIsShort(t *testing.T) {
	server := answers(t, status(302, "Location", "https://"+strings.Repeat("a", 200_000)+".example.com/"))
	src := plain(server.URL)
	src.Enrich.URL = server.URL + "/{id}"
	_, err := source.New(options(newClock())).Enrich(t.Context(), src, observation.Evidence{VendorID: "7"})
	if err == nil || len(err.Error()) > 1000 || !strings.Contains(err.Error(), "redirects to") {
		t.Errorf("error %.100v…", err)
	}
}
