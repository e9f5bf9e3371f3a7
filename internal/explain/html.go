package explain

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/ringonce/ringonce/internal/notice"
)

// WriteHTML writes a report as one self-contained page, without scripts, fonts or
// pictures. It escapes every text, and the page's content security policy blocks
// whatever might slip through.
func (rep *Report) WriteHTML(w io.Writer) error {
	p := &page{}
	title := cmp.Or(rep.Identity.Title, rep.Key)
	p.raw(`<!doctype html><html lang="en"><head><meta charset="utf-8">`)
	p.raw(`<meta http-equiv="Content-Security-Policy" content="` + insidePage + `">`)
	p.raw(`<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width, initial-scale=1">`)
	p.raw(`<title>`).text(title).raw(`</title><style>` + style + `</style></head><body><main>`)
	p.raw(`<header><p class="status ` + rep.State.Status + `">`).text(rep.State.Status).raw(`</p><h1>`).text(title).raw(`</h1><p class="key">`).text(rep.Key)
	p.raw(`</p><p>`).text(rep.standing()).raw(`</p></header>`)
	p.alarm(rep.Differences)
	p.raw(`<section><h2>Why these notices and no others</h2><p class="why">`).text(rep.Why).raw(`</p></section>`)
	p.raw(`<section><h2>Time line</h2>`).raw(rep.drawing())
	p.raw(`<p class="small">Ticks of polls, in UTC. Bars are what was seen, diamonds what was decided. Circles are attempts to send, hollow if not accepted; they stand at their decision, plus the time that they took.</p>`)
	p.timeline(rep.Timeline)
	p.raw(`</section><section><h2>Deliveries</h2>`)
	p.deliveries(rep.Deliveries)
	p.raw(`</section><div class="columns"><section><h2>Identity</h2>`).facts(rep.facts(), "")
	p.raw(`</section><section><h2>Evidence</h2>`).facts(rep.Evidence.facts(), rep.Evidence.link())
	p.raw(`</section></div>`)
	p.notes(rep.Notes)
	p.raw(`</main></body></html>` + "\n")
	_, err := io.WriteString(w, p.b.String())
	return err
}

// page builds HTML. text and cell escape; raw is only for markup written in this
// package.
type page struct{ b strings.Builder }

func (p *page) raw(s string) *page {
	p.b.WriteString(s)
	return p
}

func (p *page) text(s string) *page {
	p.b.WriteString(html.EscapeString(notice.Clean(s)))
	return p
}

func (p *page) cell(s string) *page { return p.raw(`<td>`).text(s).raw(`</td>`) }

// alarm shows the differences, if there are any.
func (p *page) alarm(all []Difference) {
	if len(all) == 0 {
		return
	}
	p.raw(`<section class="alarm"><h2>The log of decisions is not what the stored observations give</h2>`)
	p.raw(`<table><thead><tr><th>when</th><th>logged</th><th>replayed</th><th></th></tr></thead><tbody>`)
	for _, d := range all {
		p.raw(`<tr>`).cell(span(d.First, d.Last)).cell(d.Log).cell(d.Replay).cell(times(d.Count)).raw(`</tr>`)
	}
	p.raw(`</tbody></table></section>`)
}

func (p *page) timeline(all []Entry) {
	p.raw(`<table class="lines"><thead><tr><th>tick</th><th>seen</th><th>source</th><th>action</th><th>why</th></tr></thead><tbody>`)
	day := ""
	for _, e := range all {
		if d := e.First.UTC().Format("2 January 2006"); d != day {
			day = d
			p.raw(`<tr class="day"><td colspan="5">`).text(day).raw(`</td></tr>`)
		}
		p.raw(`<tr class="` + e.class() + `">`).cell(span(e.First, e.Last)).cell(e.verdict()).cell(e.Source).cell(e.Mark())
		p.raw(`<td>`).text(e.Words).raw(`<br><code>`).text(e.Reason).raw(`</code></td></tr>`)
	}
	p.raw(`</tbody></table>`)
}

// class returns an entry's class in the style sheet. It contains no stored text.
func (e Entry) class() string {
	if e.What == Decision {
		return "act"
	}
	return "none"
}

func (p *page) deliveries(all []Delivery) {
	if len(all) == 0 {
		p.raw(`<p>None.</p>`)
		return
	}
	p.raw(`<table class="lines"><thead><tr><th>message</th><th>destination</th><th>delivery id</th><th>state</th><th></th></tr></thead><tbody>`)
	for _, d := range all {
		p.raw(`<tr class="act">`).cell(fmt.Sprintf("%s %d.%d", d.Action, d.Episode, d.Sequence)).cell(d.Destination)
		p.raw(`<td><code>`).text(d.ID).raw(`</code></td>`).cell(d.State).cell(d.remark()).raw(`</tr>`)
		for _, a := range d.allAttempts() {
			p.raw(`<tr class="none">`).cell(d.attemptName(a)).cell(a.Started.UTC().Format("2006-01-02 15:04:05.000"))
			p.cell(a.waitText()).cell(words(a.Class)).cell(a.detail()).raw(`</tr>`)
		}
	}
	p.raw(`</tbody></table>`)
}

func (p *page) facts(all []Fact, link string) {
	p.raw(`<dl>`)
	for _, f := range all {
		p.raw(`<dt>`).text(f.Label).raw(`</dt><dd>`)
		if link != "" && f.Value == link {
			p.raw(`<a rel="noopener noreferrer" href="`).text(link).raw(`">`).text(link).raw(`</a>`)
		} else {
			p.text(f.Value)
		}
		p.raw(`</dd>`)
	}
	p.raw(`</dl>`)
}

func (p *page) notes(all []string) {
	if len(all) == 0 {
		return
	}
	p.raw(`<section><h2>Limits of this explanation</h2><ul>`)
	for _, n := range all {
		p.raw(`<li>`).text(n).raw(`</li>`)
	}
	p.raw(`</ul></section>`)
}
