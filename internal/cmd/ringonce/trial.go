package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/source"
)

// trial is one source polled once, for a person to look at.
type trial struct {
	src       config.Source
	client    *source.Client
	record    string
	exchanges []source.Exchange
}

func (t *trial) note(e source.Exchange) { t.exchanges = append(t.exchanges, e) }

func (t *trial) run(ctx context.Context, w io.Writer) int {
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	listing := t.client.Fetch(ctx, t.src)
	t.printRequest(w)
	t.printPages(w)
	t.printListing(w, listing, time.Now())
	if err := t.keep(w); err != nil {
		fmt.Fprintf(w, "\nnot recorded: %v\n", err)
		return exitProblems
	}
	if !listing.Complete {
		return exitProblems
	}
	return exitOK
}

// keep records the pages, redacted.
func (t *trial) keep(w io.Writer) error {
	if t.record == "" {
		return nil
	}
	if err := os.MkdirAll(t.record, 0o755); err != nil {
		return fmt.Errorf("make the folder for recorded pages: %w", err)
	}
	n := 0
	for _, e := range t.exchanges {
		if e.Failure != "" {
			continue
		}
		n++
		path := filepath.Join(t.record, fmt.Sprintf("page-%03d.json", n))
		if err := keepPage(path, e); err != nil {
			return fmt.Errorf("record page %d: %w", n, err)
		}
	}
	fmt.Fprintf(w, "\nrecorded %s in %s; look through it before it goes anywhere: redaction knows shapes, not names\n", count(n, "page"), t.record)
	return nil
}

// keepPage writes a page and, in a file beside it, the Link header that leads to the
// next one.
func keepPage(path string, e source.Exchange) error {
	if err := os.WriteFile(path, e.Fixture(), 0o644); err != nil {
		return err
	}
	if e.Link == "" {
		// The link of an earlier recording would lead on from this page.
		if err := os.Remove(linkOf(path)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return os.WriteFile(linkOf(path), []byte(e.Link+"\n"), 0o644)
}

// linkOf returns the file of a page's Link header: page-001.link.
func linkOf(page string) string { return strings.TrimSuffix(page, filepath.Ext(page)) + ".link" }

// bodies answers with one body after the other, and then always with the last.
type bodies struct {
	bodies [][]byte
	links  []string
	next   int
}

// playback reads one recorded body, or a folder of them in the order of their names.
func playback(path string) (http.RoundTripper, error) {
	files := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files, _ = filepath.Glob(filepath.Join(path, "*.json"))
		slices.Sort(files)
		if len(files) == 0 {
			return nil, fmt.Errorf("there is no recorded body (*.json) in %s", path)
		}
	}
	r := &bodies{}
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("read a recorded body: %w", err)
		}
		link, err := os.ReadFile(linkOf(f))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read a recorded Link header: %w", err)
		}
		r.bodies, r.links = append(r.bodies, body), append(r.links, strings.TrimSpace(string(link)))
	}
	return r, nil
}

func (r *bodies) RoundTrip(req *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: req}
	if r.next >= len(r.bodies) {
		// A page that was not recorded does not exist.
		resp.StatusCode, resp.Body = http.StatusNotFound, http.NoBody
		return resp, nil
	}
	resp.Body = io.NopCloser(bytes.NewReader(r.bodies[r.next]))
	if link := r.links[r.next]; link != "" {
		resp.Header.Set("Link", link)
	}
	r.next++
	return resp, nil
}
