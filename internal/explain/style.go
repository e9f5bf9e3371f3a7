package explain

import (
	"crypto/sha256"
	"encoding/base64"
)

// ContentPolicy is the Content-Security-Policy header to serve a page with. It allows
// the page's own style sheet, by its hash, and nothing else. Browsers honour
// frame-ancestors only in the header, not in the page.
var ContentPolicy = insidePage + "; frame-ancestors 'none'"

// insidePage is the part of ContentPolicy that the page itself repeats.
var insidePage = "default-src 'none'; style-src '" + hashOf(style) + "'; base-uri 'none'; form-action 'none'"

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// style is the style sheet: light, dark and for print.
const style = `
:root{--ink:#1d2129;--soft:#5f6774;--line:#d9dde3;--paper:#fff;--wash:#f5f6f8;--failing:#c8372d;--healthy:#28804a;--unknown:#9aa1ab;--act:#22509c;--remind:#c27c0e;--on:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#e7e9ec;--soft:#a3abb8;--line:#3a404a;--paper:#16191e;--wash:#1f242b;--failing:#ef6a5f;--healthy:#58b878;--unknown:#7c8591;--act:#7ea6ec;--remind:#e3a84a;--on:#16191e}}
@media print{:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--wash:#fff;--failing:#c8372d;--healthy:#28804a;--unknown:#9aa1ab;--act:#22509c;--remind:#c27c0e;--on:#fff}tr,figure{break-inside:avoid}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1040px;margin:0 auto;padding:24px}
h1{font-size:24px;line-height:1.25;margin:4px 0}
h2{font-size:16px;margin:28px 0 8px}
p{margin:4px 0}
figure{margin:0}
.key,code{font:13px ui-monospace,monospace;color:var(--soft);overflow-wrap:anywhere}
.status{display:inline-block;padding:1px 10px;border-radius:10px;color:var(--on);background:var(--soft);font-size:13px;font-weight:600}
.status.open,.status.flapping,.status.streak{background:var(--failing)}
.status.resolved{background:var(--healthy)}
.why{max-width:76ch}
.small{color:var(--soft);font-size:13px}
.alarm{border:2px solid var(--failing);border-radius:6px;padding:0 14px 12px;margin-top:16px}
.alarm h2{color:var(--failing);margin-top:10px}
table{border-collapse:collapse;width:100%;font-size:14px}
th{text-align:left;color:var(--soft);font-weight:500}
th,td{padding:4px 12px 4px 0;vertical-align:top;border-bottom:1px solid var(--line)}
td:first-child,td:nth-child(2),td:nth-child(4){white-space:nowrap}
tr.act td{font-weight:600}
tr.act code{font-weight:400}
tr.day td{padding-top:12px;color:var(--soft);font-weight:600}
.columns{display:grid;grid-template-columns:1fr 1fr;gap:0 40px}
@media (max-width:720px){.columns{display:block}}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0;font-size:14px}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
a{color:var(--act)}
svg{display:block;width:100%;height:auto;background:var(--wash);border:1px solid var(--line);border-radius:6px}
svg text{font:12px system-ui,sans-serif;fill:var(--soft)}
svg .name{fill:var(--ink)}
svg .grid{stroke:var(--line)}
svg .failing{fill:var(--failing)}svg .healthy{fill:var(--healthy)}svg .unknown,svg .mixed{fill:var(--unknown)}
svg .open{fill:var(--failing)}svg .remind{fill:var(--remind)}svg .resolve{fill:var(--healthy)}
svg .accepted{fill:var(--act)}svg .missed{fill:none;stroke:var(--failing);stroke-width:2}
svg .told{stroke:var(--act);stroke-width:2}
`
