package replay

import (
	"fmt"
	"io"
	"time"

	"github.com/ringonce/ringonce/internal/replay/trace"
)

// progressEvery is the least time between two lines of progress.
const progressEvery = 2 * time.Second

// progress prints the progress of a long replay on standard error.
type progress struct {
	w     io.Writer
	now   func() time.Time
	files *trace.Files
	total int64
	start time.Time
	last  time.Time
	shown bool
}

func (tools Tools) progress(files *trace.Files, w io.Writer, quiet bool) *progress {
	p := &progress{w: w, now: tools.Now, files: files}
	if p.now == nil {
		p.now = time.Now
	}
	if quiet {
		p.w = io.Discard
	}
	// Without a known size only the percentage is missing.
	p.total, _ = files.Size()
	p.start = p.now()
	p.last = p.start
	return p
}

func (p *progress) rows(n int64) {
	now := p.now()
	if now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	part := ""
	if p.total > 0 {
		part = fmt.Sprintf(" %3d %%,", 100*p.files.Read.Load()/p.total)
	}
	fmt.Fprintf(p.w, "replayed%s %s rows, %s a second\n", part, thousands(n), thousands(p.rate(n, now)))
}

// done ends the display, if it was started.
func (p *progress) done(n int64) {
	if p.shown {
		now := p.now()
		fmt.Fprintf(p.w, "replayed 100 %%, %s rows in %s\n", thousands(n), short(now.Sub(p.start)))
	}
}

func (p *progress) rate(n int64, now time.Time) int64 {
	return int64(float64(n) / max(now.Sub(p.start).Seconds(), 0.001))
}
