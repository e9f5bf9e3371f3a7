package source_test

import (
	"testing"

	"github.com/ringonce/ringonce/internal/config"
)

// case U5: an answer without its canary proves nothing, however well it reads.
func TestCaseU5Canary(t *testing.T) {
	watchdog := `{"id":"w","service":"watchdog","state":"firing","title":"t"}`
	item := config.Canary{Item: `.service == "watchdog"`}
	for _, tt := range []struct {
		name   string
		canary config.Canary
		body   string
		items  int
		says   string
		broken string
	}{
		{"none asked for", config.Canary{}, "[]", 0, "", ""},
		{"enough items", config.Canary{MinItems: 2}, listOf("1", "2"), 2, "2 items, at least 2 wanted", ""},
		{"too few items", config.Canary{MinItems: 2}, listOf("1"), 1, "1 items, at least 2 wanted", "proves nothing"},
		{"empty and successful", config.Canary{MinItems: 1}, "[]", 0, "0 items, at least 1 wanted", "what the credentials may see"},
		{"the item is there and is no incident", item, "[" + watchdog + "," + oneItem("1") + "]", 1, "its item is there", ""},
		{"the item is missing", item, listOf("1"), 1, "its item is missing", "its item is missing"},
		{"both", config.Canary{MinItems: 2, Item: item.Item}, "[" + watchdog + "," + oneItem("1") + "]", 1, "2 items, at least 2 wanted; its item is there", ""},
		{"a program that cannot tell", config.Canary{Item: ".service.name == 1"}, listOf("1"), 1, "its item is missing", "canary.item: expected an object"},
		{"a program that is only true-ish", config.Canary{Item: ".service"}, listOf("1"), 1, "its item is missing", "its item is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := plain(answers(t, text(tt.body)).URL)
			src.Canary = tt.canary
			l := poll(t, src)
			if l.Canary != tt.says {
				t.Errorf("the canary says %q, want %q", l.Canary, tt.says)
			}
			if tt.broken == "" {
				wantComplete(t, l, tt.items)
				return
			}
			wantBroken(t, l, tt.items, "canary", tt.broken)
		})
	}
}
