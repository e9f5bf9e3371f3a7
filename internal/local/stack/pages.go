package stack

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/local/functionurl"
	"github.com/ringonce/ringonce/internal/setup"
)

// pageFunction is the function behind the incident pages, and pageSecretFile the
// secret that signs their links unless the environment names another.
const (
	pageFunction   = "page"
	pageSecretFile = "page-secret"
	// pagesFile holds, in a persistent state directory, the address at which the
	// newest stack on it serves pages; it does not exist if that one serves none.
	pagesFile = "pages"
)

// servePages serves incident pages as a function URL does, through the real function,
// to this machine only.
func (s *Stack) servePages() error {
	if s.options.Pages == "" {
		return s.forgetPages()
	}
	host, _, err := net.SplitHostPort(s.options.Pages)
	if ip := net.ParseIP(host); err != nil || (host != "localhost" && (ip == nil || !ip.IsLoopback())) {
		return fmt.Errorf("incident pages are served to this machine only: %q is no loopback address with a port, such as 127.0.0.1:7480", s.options.Pages)
	}
	listener, err := net.Listen("tcp", s.options.Pages)
	if err != nil {
		return fmt.Errorf("listen for incident pages: %w", err)
	}
	s.pageURL = "http://" + listener.Addr().String() + "/"
	s.pages = &http.Server{Handler: functionurl.Handler(s.invokePage, time.Now, s.options.Problem), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.pages.Serve(listener) }() // ends with Close
	if err := os.WriteFile(filepath.Join(s.options.StateDir, pagesFile), []byte(s.pageURL+"\n"), 0o600); err != nil {
		return fmt.Errorf("write where incident pages are served: %w", err)
	}
	return s.makePageSecret()
}

func (s *Stack) forgetPages() error {
	err := os.Remove(filepath.Join(s.options.StateDir, pagesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Pages returns where the newest stack on a state directory serves incident pages,
// and a reference to the secret that signs their links, unless its environment named
// another; both are empty if it serves none.
func Pages(stateDir string) (url, secret string) {
	data, err := os.ReadFile(filepath.Join(stateDir, pagesFile))
	if err != nil {
		return "", ""
	}
	path, err := filepath.Abs(filepath.Join(stateDir, pageSecretFile))
	if err != nil {
		return "", ""
	}
	return strings.TrimSpace(string(data)), "file:" + path
}

func (s *Stack) invokePage(ctx context.Context, event []byte) ([]byte, error) {
	return s.Invoke(ctx, pageFunction, event)
}

// PagesURL returns where incident pages are served; empty if nowhere.
func (s *Stack) PagesURL() string { return s.pageURL }

// makePageSecret creates the secret that signs links, once for a state directory.
func (s *Stack) makePageSecret() error {
	for _, v := range s.options.Env {
		if value, ok := strings.CutPrefix(v, setup.PageSecretVar+"="); ok && value != "" {
			return nil
		}
	}
	dir, err := filepath.Abs(s.options.StateDir)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, pageSecretFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		err = os.WriteFile(path, []byte(rand.Text()+rand.Text()+"\n"), 0o600)
		if err != nil {
			return fmt.Errorf("make the secret of incident pages: %w", err)
		}
	}
	s.pageSecret = "file:" + path
	return nil
}

// pageEnv returns the functions' environment variables for pages.
func (s *Stack) pageEnv() []string {
	if s.pageURL == "" {
		return nil
	}
	env := []string{setup.PageURLVar + "=" + s.pageURL}
	if s.pageSecret != "" {
		env = append(env, setup.PageSecretVar+"="+s.pageSecret)
	}
	return env
}
