package poll

import (
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/incident"
)

func TestHeirOf(t *testing.T) {
	shape := func(id, kind string, names ...string) config.Source {
		s := config.Source{ID: id, Kind: kind}
		for _, n := range names {
			s.Map.Key = append(s.Map.Key, config.KeyPart{Name: n})
		}
		return s
	}
	alert := shape("new", "alert", "alert", "instance")
	const key = "k1/alert/alert=HostDown/instance=web-1"
	named := func(id, name string) config.Source {
		s := shape(id, "alert", "prometheus", "alert")
		s.Map.Key[0].Value, s.Map.Key[0].Type = name, "id"
		return s
	}
	const ofA = "k1/alert/prometheus=a/alert=HostDown"
	for name, tt := range map[string]struct {
		sources []config.Source
		spoke   []string
		key     string
		want    string
	}{
		"the one source of its shape":          {[]config.Source{alert}, []string{"old"}, key, "new"},
		"its source is still there":            {[]config.Source{alert, shape("old", "x", "y")}, []string{"old"}, key, ""},
		"one of its sources is still there":    {[]config.Source{alert, shape("old", "x", "y")}, []string{"gone", "old"}, key, ""},
		"two could be meant":                   {[]config.Source{alert, shape("two", "alert", "alert", "instance")}, []string{"old"}, key, ""},
		"another kind":                         {[]config.Source{shape("new", "error", "alert", "instance")}, []string{"old"}, key, ""},
		"other parts":                          {[]config.Source{shape("new", "alert", "alert", "host")}, []string{"old"}, key, ""},
		"parts in another order":               {[]config.Source{shape("new", "alert", "instance", "alert")}, []string{"old"}, key, ""},
		"more parts":                           {[]config.Source{shape("new", "alert", "alert", "instance", "job")}, []string{"old"}, key, ""},
		"what a source said about itself":      {[]config.Source{shape("new", "heartbeat", "source")}, []string{"old/reachability"}, "k1/heartbeat/source=old", ""},
		"a source of other keys of that shape": {[]config.Source{named("b", `"b"`)}, []string{"old"}, ofA, ""},
		"two, one of them of other keys":       {[]config.Source{named("b", `"b"`), named("new", ` "a" `)}, []string{"old"}, ofA, "new"},
		"two that may both have it":            {[]config.Source{named("b", `"a"`), named("new", ".name")}, []string{"old"}, ofA, ""},
		"a text that is put together":          {[]config.Source{named("new", `"\(.name)"`)}, []string{"old"}, ofA, "new"},
		"a key that nobody can read":           {[]config.Source{alert}, []string{"old"}, "HostDown", ""},
	} {
		heir, ok := successorOf(&config.Config{Sources: tt.sources}, incident.Active{Key: tt.key, Sources: tt.spoke})
		if heir.ID != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q %v, want %q", name, heir.ID, ok, tt.want)
		}
	}
}
