package source_test

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/source"
)

// largeAnswer is one answer of 20,000 issues.
func largeAnswer(b testing.TB) []byte {
	issue := recordedItems(b, "sentry/organization_issues_unresolved.json")[0]
	issue["stats"], issue["lifetime"], issue["annotations"], issue["statusDetails"] = nil, nil, nil, nil
	for _, field := range []string{"assignedTo", "metadata", "project", "isBookmarked", "isSubscribed", "subscriptionDetails", "hasSeen", "shareId", "logger", "priorityLockedAt"} {
		delete(issue, field)
	}
	var out bytes.Buffer
	out.WriteByte('[')
	for i := range 20_000 {
		if i > 0 {
			out.WriteByte(',')
		}
		one := asJSON(b, set(issue, fmt.Sprint(6500000000+i), "id"))
		out.Write(one)
		out.WriteString(strings.Repeat(" ", max(0, 523-len(one))))
	}
	out.WriteByte(']')
	return out.Bytes()
}

// BenchmarkFetch20000 maps one answer of 12 MB and 20,000 items with the Sentry
// preset; "peak-MB" is the heap that is live or not yet collected at the end.
func BenchmarkFetch20000(b *testing.B) {
	answer := largeAnswer(b)
	src := fromPreset(b, "sentry", presetParams["sentry"], "https://sentry.example/")
	src.Pagination.MaxBytes = 16 << 20
	opts := options(newClock())
	opts.Transport = &scripted{func(w http.ResponseWriter) {
		w.Header().Set("Link", `</>; rel="next"; results="false"`)
		_, _ = w.Write(answer)
	}}
	client := source.New(opts)
	b.SetBytes(int64(len(answer)))
	b.ReportAllocs()
	var m runtime.MemStats
	var peak uint64
	for b.Loop() {
		if l := client.Fetch(b.Context(), src); !l.Complete || len(l.Items) != 20_000 {
			b.Fatalf("%d items, problems %v", len(l.Items), l.Problems)
		}
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
}
