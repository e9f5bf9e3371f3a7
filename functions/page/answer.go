package main

import (
	"maps"
	"net/http"

	"github.com/ringonce/ringonce/internal/explain"
)

const (
	start    = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Ringonce</title></head><body><p>`
	notFound = start + `There is nothing here. A link to an incident ends with its time; a newer message has a newer one.</p></body></html>` + "\n"
	tooLong  = start + `This incident is too long for a page. Ask <code>ringonce explain --html</code> with the delivery id of its message.</p></body></html>` + "\n"
)

// headers keep a page private to the browser that opened it: the page is not cached
// or framed, runs no script, loads nothing, and sends no Referer to the sites it
// links to.
var headers = map[string]string{
	"Cache-Control":                "no-store",
	"Content-Security-Policy":      explain.ContentPolicy,
	"Content-Type":                 "text/html; charset=utf-8",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=()",
	"Referrer-Policy":              "no-referrer",
	"Strict-Transport-Security":    "max-age=31536000",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"X-Robots-Tag":                 "noindex, nofollow, noarchive",
}

// answer returns the response to a request of the given method; HEAD gets no body.
func answer(method string, status int, page string) response {
	if method == http.MethodHead {
		page = ""
	}
	return response{StatusCode: status, Headers: maps.Clone(headers), Body: page}
}
