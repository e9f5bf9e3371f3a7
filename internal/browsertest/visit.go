package browsertest

import (
	"context"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Visit is what came of opening a page.
type Visit struct {
	// DOM is the page as it stands in the end, as HTML.
	DOM string
	// Asked are the addresses that the browser asked for, each once, in order. For
	// https it is the host alone.
	Asked []string
}

// patience bounds one visit on a busy machine.
const patience = 2 * time.Minute

// Open opens a page on a loopback server. All that the browser asks for goes
// through a proxy that notes it and passes on only what is for that server:
// nothing leaves the machine.
func Open(t *testing.T, url string) Visit {
	t.Helper()
	p := startProxy(t, url)
	// Virtual time runs ahead whenever nothing is under way, so that what a page
	// does a little later is done too. What waits for a frame, as the focus that a
	// field takes by itself, would be late by chance: the frames are waited for too.
	dom := run(t, p, "--virtual-time-budget=3000", "--run-all-compositor-stages-before-draw", "--dump-dom", url)
	return Visit{DOM: string(dom), Asked: p.asked()}
}

// Picture opens a page and returns what it looks like, by day.
func Picture(t *testing.T, url string) image.Image {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.png")
	run(t, startProxy(t, url), "--hide-scrollbars", "--window-size=1200,900", "--screenshot="+file, url)
	f, err := os.Open(file)
	if err != nil {
		t.Fatalf("the browser made no picture: %v", err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func run(t *testing.T, p *proxy, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	flags := []string{
		"--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
		"--user-data-dir=" + t.TempDir(),
		// Loopback too goes through the proxy.
		"--proxy-server=" + p.server.URL, "--proxy-bypass-list=<-loopback>",
	}
	if os.Geteuid() == 0 {
		flags = append(flags, "--no-sandbox") // Chromium refuses its sandbox to root
	}
	cmd := exec.CommandContext(ctx, browser(t), append(flags, args...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run the browser: %v", err)
	}
	return out
}

func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Chromium on the PATH: `make tools-browser` installs it, or says what to do")
	return ""
}
