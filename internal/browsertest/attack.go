package browsertest

import (
	"strings"
	"testing"
)

// Mark is what a script of the attacks would make of the page's title, if one
// ran, and Elsewhere where they would load from.
const (
	Mark      = "a-script-ran"
	Elsewhere = "http://elsewhere.example.com/"
)

const script = `document.title='` + Mark + `';fetch('` + Elsewhere + `ran')`

// Attacks are texts that run or load something wherever they are taken for
// markup. Each breaks out of a text, an attribute and an element first.
var Attacks = []string{
	`"><script>` + script + `</script>`,
	`'"></title></style></textarea></pre></code></td><script>` + script + `</script>`,
	`"><img src=` + Elsewhere + `img onerror="` + script + `">`,
	`"><svg onload="` + script + `"></svg>`,
	`"><body onload="` + script + `" background=` + Elsewhere + `body>`,
	`"><iframe src=` + Elsewhere + `frame></iframe>`,
	`"><iframe srcdoc="<script>` + strings.ReplaceAll(script, "document", "parent.document") + `</script>"></iframe>`,
	`"><object data=` + Elsewhere + `object></object><embed src=` + Elsewhere + `embed>`,
	`"><link rel=stylesheet href=` + Elsewhere + `sheet><style>@import url(` + Elsewhere + `import);</style>`,
	`"><div style="background:url(` + Elsewhere + `background)">x</div>`,
	`"><video src=` + Elsewhere + `video autoplay></video><audio src=` + Elsewhere + `audio autoplay></audio>`,
	`"><input autofocus onfocus="` + script + `">`,
	`"><details open ontoggle="` + script + `">`,
	`"><base href=` + Elsewhere + `><script src=base></script>`,
	`"--><!--><script>` + script + `</script>`,
	`" onmouseover="` + script + `" style="background:url(` + Elsewhere + `attribute)" x="`,
	`{{constructor.constructor('` + strings.ReplaceAll(script, "'", `\'`) + `')()}}${` + script + `}`,
}

// Leaving is an attack that no policy of a page forbids, so that it must not be
// taken for markup at all.
const Leaving = `"><meta http-equiv="refresh" content="0;url=` + Elsewhere + `leaving">`

// Links are addresses that must not become links, or not these.
var Links = []string{
	`javascript:` + script,
	" \x01javascript:" + script,
	`data:text/html,<script>` + script + `</script>`,
	`https://vendor.example.com/"><script>` + script + `</script>`,
	`https://vendor.example.com/' onmouseover='` + script,
}

// All is every attack in one text.
func All() string { return strings.Join(append(Attacks[:len(Attacks):len(Attacks)], Leaving), "\n") }

// AssertStill fails if a page has run a script or asked for anything but itself.
func AssertStill(t *testing.T, v Visit, page string) {
	t.Helper()
	if strings.Contains(v.DOM, "<title>"+Mark) {
		t.Error("a script ran")
	}
	for _, address := range v.Asked {
		if address != page {
			t.Errorf("the page has the browser ask for %s", address)
		}
	}
	if len(v.Asked) == 0 {
		t.Error("the page itself was not asked for, so nothing was tested")
	}
}
