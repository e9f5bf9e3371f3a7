package source_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/config"
)

// asking notes the query of every request to the answers that it serves; {} in
// an answer stands for the server.
func asking(t *testing.T, list ...string) (url string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	handlers := make([]http.HandlerFunc, len(list))
	for i, answer := range list {
		handlers[i] = func(w http.ResponseWriter, r *http.Request) {
			*asked = append(*asked, r.URL.RawQuery)
			text(strings.ReplaceAll(answer, "{}", "http://"+r.Host))(w, r)
		}
	}
	return answers(t, handlers...).URL, asked
}

// with is an answer of some items and what it says about the pages.
func with(says string, ids ...string) string {
	return `{"list":` + listOf(ids...) + "," + says + "}"
}

// Each way of paging in which the body says how to go on: the whole list, or a
// problem and never health.
func TestPagesThatTheBodyTells(t *testing.T) {
	page := config.Pagination{Type: "page", Param: "n", First: 0, Size: 2, Pages: ".pages"}
	offset := config.Pagination{Type: "offset", Param: "skip", SizeParam: "take", Size: 2, More: ".more"}
	token := config.Pagination{Type: "token", Param: "after", Next: ".next"}
	next := config.Pagination{Type: "next_url", Next: ".next"}
	for _, tt := range []struct {
		name    string
		paging  config.Pagination
		answers []string
		items   int
		asked   string
		problem string
	}{
		{"page count: short pages end nothing", page, []string{with(`"pages":3`, "1"), with(`"pages":3`), with(`"pages":"3"`, "2", "3")}, 3, "n=0 n=1 n=2", ""},
		{"page count of none", page, []string{with(`"pages":0`)}, 0, "n=0", ""},
		{"no page count", page, []string{with(`"page":1`, "1")}, 1, "n=0", "pagination.pages: gave null"},
		{"page count that cannot be", page, []string{with(`"pages":-1`, "1")}, 1, "n=0", "pagination.pages"},
		{"page count of a text", page, []string{with(`"pages":"many"`, "1")}, 1, "n=0", "pagination.pages"},
		{"offset while there is more", offset, []string{with(`"more":true`, "1", "2"), with(`"more":false`, "3")}, 3, "skip=0&take=2 skip=2&take=2", ""},
		{"offset, pages that the vendor cuts", offset, []string{with(`"more":true`, "1"), with(`"more":false`, "2")}, 2, "skip=0&take=2 skip=1&take=2", ""},
		{"offset, more without items", offset, []string{with(`"more":true`)}, 0, "skip=0&take=2", "empty but says that more follow"},
		{"offset, no word of more", offset, []string{with(`"x":1`, "1", "2")}, 2, "skip=0&take=2", "pagination.more: gave null"},
		{"token until null", token, []string{with(`"next":"a b"`, "1"), with(`"next":7`, "2"), with(`"next":null`, "3")}, 3, " after=a+b after=7", ""},
		{"token until empty", token, []string{with(`"next":"a"`, "1"), with(`"next":""`)}, 1, " after=a", ""},
		{"token that repeats", token, []string{with(`"next":"a"`, "1"), with(`"next":"a"`, "2")}, 2, " after=a", "circle"},
		{"token of a list", token, []string{with(`"next":["a"]`, "1")}, 1, "", "pagination.next: gave an array"},
		{"address until null", next, []string{with(`"next":"{}/?p=2"`, "1"), with(`"next":"/?p=3"`, "2"), with(`"next":null`, "3")}, 3, " p=2 p=3", ""},
		{"address of another host", next, []string{with(`"next":"https://elsewhere.example/?p=2"`, "1")}, 1, "", "another host (https://elsewhere.example), which the credentials are not for; it was not asked for; if that is the vendor's too, set request.url to it"},
		{"address of a metadata service", next, []string{with(`"next":"http://169.254.169.254/latest/meta-data/"`, "1")}, 1, "", "another host (http://169.254.169.254)"},
		{"the host over plain http or another port", next, []string{with(`"next":"http://127.0.0.1/?p=2"`, "1")}, 1, "", "another host"},
		{"address with a user", next, []string{strings.Replace(with(`"next":"{}/?p=2"`, "1"), "{}", "http://u:p@127.0.0.1", 1)}, 1, "", "another host"},
		{"address that is none", next, []string{with(`"next":"http://a b:c/"`, "1")}, 1, "", "cannot be read"},
		{"case U2 the second page fails", next, []string{with(`"next":"{}/?p=2"`, "1"), "<html>"}, 1, " p=2", "page 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, asked := asking(t, tt.answers...)
			src := plain(url)
			src.Map.Items, src.Pagination = ".list[]", tt.paging
			l := poll(t, src)
			if got := strings.Join(*asked, " "); got != tt.asked {
				t.Errorf("asked %q, want %q", got, tt.asked)
			}
			if tt.problem == "" {
				wantComplete(t, l, tt.items)
				return
			}
			wantBroken(t, l, tt.items, tt.problem)
		})
	}
}

// A vendor that says for ever that more follow is left after max_pages.
func TestEndlessPagesEnd(t *testing.T) {
	n := 0
	endless := func(w http.ResponseWriter, r *http.Request) {
		n++
		text(with(fmt.Sprintf(`"pages":1e9,"more":true,"next":"/?p=%d"`, n), fmt.Sprint(n)))(w, r)
	}
	for _, p := range []config.Pagination{
		{Type: "page", Param: "n", Pages: ".pages"},
		{Type: "offset", Param: "skip", More: ".more"},
		{Type: "token", Param: "after", Next: ".next"},
		{Type: "next_url", Next: ".next"},
	} {
		src := plain(answers(t, endless).URL)
		src.Map.Items, src.Pagination, src.Pagination.MaxPages = ".list[]", p, 5
		wantBroken(t, poll(t, src), 5, "page 5", "5 is the limit")
	}
}
