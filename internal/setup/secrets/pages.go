package secrets

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/ringonce/ringonce/internal/pages"
	"github.com/ringonce/ringonce/internal/setup"
)

// defaultPageDays is how long a link is valid by default.
const defaultPageDays = 30

// PageLinks returns a function that makes the links from messages to the pages of
// their incidents; nil without pages.
func PageLinks(env setup.Env, cfg aws.Config, log *slog.Logger) (func(ctx context.Context, key string, episode int) string, error) {
	secret, url := env(setup.PageSecretVar), env(setup.PageURLVar)
	if secret == "" || url == "" {
		return nil, nil
	}
	days := defaultPageDays
	if text := env(setup.PageDaysVar); text != "" {
		var err error
		if days, err = strconv.Atoi(text); err != nil || days < 1 {
			return nil, fmt.Errorf("%s is %q: want a number of days", setup.PageDaysVar, text)
		}
	}
	vault := New(cfg, log)
	Load(vault, []string{secret}, log)
	l := &pages.Linker{
		URL: url, Secret: secret, ValidFor: time.Duration(days) * 24 * time.Hour,
		Secrets: vault, Now: setup.Now, Log: log,
	}
	return l.Link, nil
}
