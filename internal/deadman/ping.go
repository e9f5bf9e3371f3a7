// Package deadman pings a dead-man's switch outside this AWS account, which alerts
// when the pings stop: nothing inside an account can report that the whole account is
// gone. It uses the protocol of Healthchecks' ping URLs.
//
// https://healthchecks.io/docs/http_api/
package deadman

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/redact"
)

const (
	timeout = 5 * time.Second
	// maxAnswer is how much of an answer is read, in bytes: the right one has two.
	maxAnswer = 64
)

// Ping reports to the switch behind a ping URL that all is well or, with problems,
// that it is not, and why. Any answer but OK is an error: the service answers "OK
// (rate-limited)" and "OK (not found)" to pings that do not count. The URL is a
// secret, and no error holds it.
func Ping(ctx context.Context, transport http.RoundTripper, url string, problems []string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if len(problems) > 0 {
		url = strings.TrimRight(url, "/") + "/fail"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(strings.Join(problems, "\n")))
	if err != nil {
		return errors.New("ping the dead-man's switch: its ping URL is not a URL; store the whole address in the secret")
	}
	// The next ping is a minute away, and Lambda drops idle connections.
	req.Close = true
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("ping the dead-man's switch: %s", redact.Error(err))
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("ping the dead-man's switch: read its answer: %s", redact.Error(err))
	}
	if res.StatusCode != http.StatusOK || strings.TrimSpace(string(answer)) != "OK" {
		return fmt.Errorf("ping the dead-man's switch: status %d and an answer other than OK: the ping does not count; "+
			"check the ping URL, and that nobody else pings it", res.StatusCode)
	}
	return nil
}
