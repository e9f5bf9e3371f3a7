package redact

import "testing"

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
