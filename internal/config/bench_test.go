package config

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkParse reads 20 sources, half of them from a preset: what each
// function does once when it starts.
func BenchmarkParse(b *testing.B) {
	full := string(mustRead(testdata + "good/full.yaml"))
	after := strings.Index(full, "\nredact:")
	if after < 0 {
		b.Fatal("full.yaml has no end of its sources")
	}
	var file strings.Builder
	file.WriteString(full[:after])
	for i := range 9 {
		fmt.Fprintf(&file, `
  - {id: preset-%d, preset: tracker, params: {org: shop}, owner: payments, operator_action: Open the issue and fix it.}
  - id: own-%d
    owner: search
    operator_action: Restart the service that the message names.
    kind: error
    absent: missing
    request: {url: https://status.example.com/failures, headers: {X-Api-Key: "env:KEY"}}
    map:
      items: .failures[]
      status: .state
      verdicts: {firing: failing, ok: healthy}
      key: [{name: service, value: .service, type: id}, {name: failure, value: .title, type: text}]
      summary: .title
      evidence: {link: .url, count: .count, first_seen: .since, last_seen: .updated, vendor_id: .id}
`, i, i)
	}
	file.WriteString(full[after:])
	data, presets := []byte(file.String()), testPresets()
	if cfg, _, err := Parse("ringonce.yaml", data, presets); err != nil || len(cfg.Sources) != 20 {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Parse("ringonce.yaml", data, presets); err != nil {
			b.Fatal(err)
		}
	}
}
