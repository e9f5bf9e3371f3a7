package redact

import (
	"strings"
	"testing"
)

// BenchmarkText measures texts as vendors' listings hold them: nearly none has
// anything to take out.
func BenchmarkText(b *testing.B) {
	for name, s := range map[string]string{
		"title":   "Error: cannot read properties of undefined (reading 'total') in checkout",
		"link":    "https://example-org.sentry.io/issues/6507376925/?project=17&query=is%3Aunresolved",
		"numbers": "Increased from 909.77ms to 1711.36ms (P95) at 2026-03-11T12:49:18Z",
		"secret":  "assigned to jane@example.com with Bearer 0123456789abcdef",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Text(s)
			}
		})
	}
}

// BenchmarkLongText measures 10 kB at a time: a log, prose, one word, what is full of
// secrets, and vendors' answers.
func BenchmarkLongText(b *testing.B) {
	for name, s := range map[string]string{
		"log":     `2026-03-11T12:49:18Z ERROR checkout[17]: payment 810ccf7f-c957-474a-b383-7e76d66a4d3b declined: token expired (code=402, pass=3 fail=2) at https://shop.example/cart?id=17 trace 54c2f185e49cfccb; `,
		"prose":   "Error: cannot read properties of undefined (reading total) in checkout. ",
		"word":    "a",
		"names":   "cvv=",
		"secrets": "assigned to jane@example.com with Bearer 0123456789abcdef and password=hunter2 ",
		"json":    `{"id": 72887070, "name": "Synthetic API check: websocket", "overall_state": "Alert", "tags": ["env:prod", "service:checkout"], "creator": {"handle": "owner@example.com"}}, `,
	} {
		b.Run(name, func(b *testing.B) {
			long := strings.Repeat(s, 10_000/len(s)+1)[:10_000]
			b.SetBytes(int64(len(long)))
			b.ReportAllocs()
			for b.Loop() {
				Text(long)
			}
		})
	}
}
