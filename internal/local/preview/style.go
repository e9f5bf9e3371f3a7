package preview

// style draws Slack in its light theme, and gives each mail the background and text
// colour of a browser's colour scheme.
const style = `
body{font:15px/1.45 system-ui,sans-serif;margin:24px;background:#eceff3;color:#1d2129}
h1{font-size:22px;margin:0}
h2{font-size:15px;margin:32px 0 8px;color:#4a5361;text-transform:uppercase;letter-spacing:.04em}
.row{display:grid;grid-template-columns:1.05fr 1fr 1fr;gap:16px;align-items:start}
.row>div{border:1px solid #cfd5dd;border-radius:8px;padding:14px 18px;min-width:0;overflow-wrap:anywhere}
.slack{background:#fff;color:#1d1c1d;font-family:Lato,"Helvetica Neue",Arial,sans-serif}
.slack p.app{margin:0 0 6px}
.slack .icon{display:inline-block;width:22px;height:22px;line-height:22px;text-align:center;border-radius:5px;background:#22509c;color:#fff;font-weight:700;font-size:13px}
.slack .tag{font-size:10px;background:#e8e8e8;color:#616061;padding:1px 4px;border-radius:3px;vertical-align:middle}
.slack .header{font-size:18px;font-weight:900;margin:8px 0}
.slack .section{margin:8px 0}
.slack .section>div{white-space:pre-wrap}
.slack .section:has(>div+div){display:grid;grid-template-columns:1fr 1fr;gap:6px 12px}
.slack .context{margin:4px 0;font-size:12px;color:#616061}
.slack a{color:#1264a3;text-decoration:none}
.mail{background:Canvas;color:CanvasText}
.day{color-scheme:light}
.night{color-scheme:dark}
details{margin-top:8px}
summary{cursor:pointer;color:#4a5361}
details pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#fff;border:1px solid #cfd5dd;border-radius:8px;padding:14px 18px}
@media (max-width:1000px){.row{display:block}.row>div{margin-bottom:12px}}
@media print{body{background:#fff}section{break-inside:avoid}}
`
