package setup

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/ringonce/ringonce/internal/pages"
)

// The environment variables about incident pages.
const (
	// PageSecretVar refers to what their links are signed with; empty is no pages.
	PageSecretVar = "RINGONCE_PAGE_SECRET"
	// PageURLVar is where they are served, and PageDaysVar how many days a link
	// is valid.
	PageURLVar  = "RINGONCE_PAGE_URL"
	PageDaysVar = "RINGONCE_PAGE_DAYS"
)

// defaultPageDays is how long a link is valid where nobody says.
const defaultPageDays = 30

// PageLinks makes what links messages to the pages of their incidents; nil where
// there are none.
func PageLinks(env Env, cfg aws.Config, log *slog.Logger) (func(ctx context.Context, key string, episode int) string, error) {
	secret, url := env(PageSecretVar), env(PageURLVar)
	if secret == "" || url == "" {
		return nil, nil
	}
	days := defaultPageDays
	if text := env(PageDaysVar); text != "" {
		var err error
		if days, err = strconv.Atoi(text); err != nil || days < 1 {
			return nil, fmt.Errorf("%s is %q: want a number of days", PageDaysVar, text)
		}
	}
	secrets := Secrets(cfg, log)
	LoadSecrets(secrets, []string{secret}, log)
	l := &pages.Linker{
		URL: url, Secret: secret, ValidFor: time.Duration(days) * 24 * time.Hour,
		Secrets: secrets, Now: Now, Log: log,
	}
	return l.Link, nil
}
