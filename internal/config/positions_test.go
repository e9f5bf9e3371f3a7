package config

import "testing"

func TestPositions(t *testing.T) {
	_, pos := load(t, "full.yaml")
	file := testdata + "good/full.yaml"
	for path, want := range map[string]Place{
		"":                                     {file, 1, 1},
		"owners.payments.cost_center":          {file, 7, 18},
		"destinations.mail-payments.to[1]":     {file, 22, 30},
		"sources[0].request.query.project":     {file, 52, 34},
		"sources[0].request.url":               {PresetDir + "tracker.yaml", 11, 8},
		"sources[0].map.verdicts.open":         {PresetDir + "tracker.yaml", 18, 20},
		"sources[1].map.key[1].value":          {file, 81, 30},
		"sources[1].map.key[7].value":          {file, 80, 9}, // the list itself
		"sources[1].map.no_such_field":         {file, 76, 7},
		"sources[1].request.headers.X-Api-Key": {file, 67, 28},
		"sources[99].map":                      {file, 41, 3},
		"nothing.at.all":                       {file, 1, 1},
	} {
		if got := pos.Of(path); got != want {
			t.Errorf("%q is at %v, want %v", path, got, want)
		}
	}
}

func TestPositionsOfASource(t *testing.T) {
	_, pos := load(t, "full.yaml")
	path, at := pos.Source("legacy", "map.status")
	if path != "sources[1].map.status" || at.Line != 77 {
		t.Errorf("%s at %v", path, at)
	}
	if path, _ := pos.Source("legacy", ""); path != "sources[1]" {
		t.Errorf("the source itself: %s", path)
	}
}
