package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/source"
	"github.com/ringonce/ringonce/internal/source/preset"
)

func oneItem(id string) string {
	return fmt.Sprintf(`{"id":%q,"service":"svc-%s","state":"firing","title":"t"}`, id, id)
}

func listOf(ids ...string) string {
	for i, id := range ids {
		ids[i] = oneItem(id)
	}
	return "[" + strings.Join(ids, ",") + "]"
}

// withLink answers with a Link header in which {} stands for the server.
func withLink(link, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", strings.ReplaceAll(link, "{}", "http://"+r.Host))
		text(body)(w, r)
	}
}

func TestLinkPages(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other host was asked") }))
	defer elsewhere.Close()
	tests := []struct {
		name    string
		answers []http.HandlerFunc
		items   int
		problem string
	}{
		{"no header", []http.HandlerFunc{text(listOf("1"))}, 1, ""},
		{"relative address, other relations around it", []http.HandlerFunc{
			withLink(`<{}/a>; rel="prev", </b?x=1,2;3>; title="a, \"b; <c>"; REL="last next", <{}/c>; rel=first`, listOf("1")),
			withLink(`<{}/a>; rel=prev`, listOf("2")),
		}, 2, ""},
		{"results is false", []http.HandlerFunc{withLink(`<{}/?cursor=1>; rel="next"; results="false"`, listOf("1"))}, 1, ""},
		{"results without quotes", []http.HandlerFunc{withLink(`<{}/?cursor=1>; rel=next; results=false`, listOf("1"))}, 1, ""},
		{"another host", []http.HandlerFunc{withLink(`<`+elsewhere.URL+`/?page=2>; rel="next"`, listOf("1"))}, 1, "another host"},
		{"another scheme", []http.HandlerFunc{withLink(`<ftp://x/>; rel="next"`, listOf("1"))}, 1, "another host"},
		{"the same page again", []http.HandlerFunc{withLink(`<{}/>; rel="next"`, listOf("1"))}, 1, "circle"},
		{"a circle of two", []http.HandlerFunc{
			withLink(`<{}/?p=2>; rel="next"`, listOf("1")), withLink(`<{}/>; rel="next"`, listOf("2")),
		}, 2, "circle"},
		{"an address that is none", []http.HandlerFunc{withLink(`<http://a b:c/>; rel="next"`, listOf("1"))}, 1, "cannot be read"},
		// case U2: what cannot be read may have named a next page.
		{"an address without an end", []http.HandlerFunc{withLink(`<unclosed; rel="next"`, listOf("1"))}, 1, "Link header cannot be read to the end"},
		{"a quote without an end", []http.HandlerFunc{withLink(`<{}/a>; rel="prev, <{}/b>; rel=next`, listOf("1"))}, 1, "cannot be read to the end"},
		{"rubbish", []http.HandlerFunc{withLink(`<<<>>>;;;,,,"""`, listOf("1"))}, 1, "cannot be read to the end"},
		{"rubbish behind the next link", []http.HandlerFunc{withLink(`<{}/?p=2>; rel="next", rubbish`, listOf("1")), text(listOf("2"))}, 2, ""},
		{"second page is not JSON", []http.HandlerFunc{withLink(`<{}/?p=2>; rel="next"`, listOf("1")), text("<html>")}, 1, "page 2"},
		{"second page is refused", []http.HandlerFunc{withLink(`<{}/?p=2>; rel="next"`, listOf("1")), status(404)}, 1, "page 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := plain(answers(t, tt.answers...).URL + "/")
			src.Pagination.Type = "link"
			l := poll(t, src)
			if tt.problem == "" {
				wantComplete(t, l, tt.items)
				return
			}
			wantBroken(t, l, tt.items, tt.problem)
		})
	}
}

// One host in two spellings is one host (RFC 3986, section 6.2.2.1 and 6.2.3).
func TestTheSameHostSpeltOtherwise(t *testing.T) {
	for first, next := range map[string]string{
		"https://API.vendor.example/list": "https://api.vendor.example/list?p=2",
		"https://vendor.example/list":     "https://vendor.example:443/list?p=2",
		"https://vendor.example:443/list": "HTTPS://vendor.example/list?p=2",
	} {
		n := 0
		opts := options(newClock())
		opts.Transport = &scripted{func(w http.ResponseWriter) {
			if n++; n == 1 {
				w.Header().Set("Link", "<"+next+">; rel=next")
			}
			_, _ = w.Write([]byte(listOf(fmt.Sprint(n))))
		}}
		src := plain(first)
		src.Pagination.Type = "link"
		wantComplete(t, source.New(opts).Fetch(t.Context(), src), 2)
		for _, other := range []string{"https://vendor.example:8443/list?p=2", "http://vendor.example:443/list?p=2", "https://api.vendor.example.evil.example/list"} {
			next = other
			n = 0
			wantBroken(t, source.New(opts).Fetch(t.Context(), src), 1, "another host")
		}
	}
}

// A proxy that drops the Link header would turn the first of many pages into
// all there is.
func TestFullPageWithoutALinkHeaderIsNotTheLast(t *testing.T) {
	src := plain(answers(t, text(listOf("1", "2"))).URL)
	src.Pagination = config.Pagination{Type: "link", Size: 2}
	wantBroken(t, poll(t, src), 2, "without a Link header")
	src.Pagination.Size = 3
	wantComplete(t, poll(t, src), 2)
}

func TestMaxPages(t *testing.T) {
	n := 0
	endless := func(w http.ResponseWriter, r *http.Request) {
		n++
		withLink(fmt.Sprintf(`<{}/?p=%d>; rel="next"`, n), listOf(fmt.Sprint(n)))(w, r)
	}
	src := plain(answers(t, endless).URL)
	src.Pagination = config.Pagination{Type: "link", MaxPages: 3}
	wantBroken(t, poll(t, src), 3, "page 3", "3 is the limit", "pagination.max_pages")
	n = 0
	src.Pagination.MaxPages = 0
	wantBroken(t, poll(t, src), config.DefaultMaxPages, fmt.Sprintf("page %d: more", config.DefaultMaxPages))
}

func TestNumberedPages(t *testing.T) {
	page := func(items string) http.HandlerFunc { return text(`{"list":` + items + `}`) }
	full, short := page(listOf("1", "2")), page(listOf("3"))
	for _, tt := range []struct {
		name    string
		size    int
		answers []http.HandlerFunc
		items   int
		asked   string
	}{
		{"until a short page", 2, []http.HandlerFunc{full, short}, 3, "n=1 n=2"},
		{"until an empty page", 2, []http.HandlerFunc{full, page("[]")}, 2, "n=1 n=2"},
		{"without a size, until an empty page", 0, []http.HandlerFunc{full, short, page("[]")}, 3, "n=1 n=2 n=3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var asked []string
			for i, h := range tt.answers {
				tt.answers[i] = func(w http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.RawQuery); h(w, r) }
			}
			src := plain(answers(t, tt.answers...).URL)
			src.Map.Items = ".list[]"
			src.Pagination = config.Pagination{Type: "page", Param: "n", First: 1, Size: tt.size}
			wantComplete(t, poll(t, src), tt.items)
			if got := strings.Join(asked, " "); got != tt.asked {
				t.Errorf("asked %q, want %q", got, tt.asked)
			}
		})
	}
}

// A configuration that says nothing of a page's size does not know which page is
// short: the list is read until a page is empty.
func TestPagesOfASizeThatNobodySaid(t *testing.T) {
	for paging, want := range map[string]int{"{type: page, param: page}": 3, "{type: page, param: page, size: 100}": 2, "{type: page, param: page, size_param: n}": 2} {
		url := answers(t, text(listOf("1", "2")), text(listOf("3")), text("[]")).URL
		cfg, _, err := config.Parse("test.yaml", []byte(`
version: 1
environment: test
owners: {team: {cost_center: CC-1, destinations: [chat]}}
destinations: {chat: {channel: slack_webhook, webhook_url: "env:HOOK"}}
sources:
  - {id: own, preset: generic-json, owner: team, operator_action: Look at it and act., params: {url: "`+url+`", id: .service, failing: .state == "firing"}, pagination: `+paging+`}
`), preset.FS)
		if err != nil {
			t.Fatal(err)
		}
		if l := poll(t, cfg.Sources[0]); !l.Complete || len(l.Items) != want {
			t.Errorf("%s: complete %v with %d items, want %d; problems %v", paging, l.Complete, len(l.Items), want, l.Problems)
		}
	}
}

func TestPageParameterThatTheVendorIgnores(t *testing.T) {
	src := plain(answers(t, text(listOf("1", "2"))).URL)
	src.Pagination = config.Pagination{Type: "page", Param: "seite", Size: 2}
	wantBroken(t, poll(t, src), 2, "page 2", "repeats", "pagination.param")
}

// Items that a program leaves out still fill a page.
func TestFilteredFullPageIsNotTheLast(t *testing.T) {
	src := plain(answers(t, text(listOf("1", "skip")), text(listOf("2"))).URL)
	src.Map.Items = `.[] | select(.id != "skip")`
	src.Pagination = config.Pagination{Type: "page", Param: "page", Size: 2}
	wantComplete(t, poll(t, src), 2)
}

func TestItemsThatRepeatCountOnce(t *testing.T) {
	changed := `[{"id":"2","service":"svc-2","state":"ok","title":"t"}]`
	src := plain(answers(t,
		withLink(`<{}/?p=2>; rel="next"`, listOf("1", "2", "2")),
		withLink(`<{}/?p=3>; rel="next"`, listOf("2", "3")),
		text(changed)).URL)
	src.Pagination.Type = "link"
	// 1, 2, 3, and 2 again with another verdict, which is another statement.
	wantComplete(t, poll(t, src), 4)
	// Without an id two items of one page are two, those of two pages one.
	src = plain(answers(t,
		withLink(`<{}/?p=2>; rel="next"`, listOf("1", "1")), text(listOf("1", "2"))).URL)
	src.Pagination.Type = "link"
	src.Map.Evidence.VendorID = ""
	wantComplete(t, poll(t, src), 3)
}

// Large pages of several sources are decoded one after the other, and all are
// read.
func TestLargePagesOfSeveralSources(t *testing.T) {
	server := answers(t, text(listOf("1", "2")+strings.Repeat(" ", 3<<20)))
	client := source.New(options(newClock()))
	done := make(chan observation.Listing)
	for range 4 {
		go func() { done <- client.Fetch(t.Context(), plain(server.URL)) }()
	}
	for range 4 {
		wantComplete(t, <-done, 2)
	}
}
