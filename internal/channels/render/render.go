// Package render freezes notices into the bytes that each channel sends. It is
// separate from package channels so that functions that only render do not link the
// clients for sending.
package render

import (
	"fmt"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/notice"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/ses"
	"github.com/ringonce/ringonce/internal/slack"
	"github.com/ringonce/ringonce/internal/webhook"
)

// Notice renders a notice into the bytes that a channel sends.
func Notice(channel string, n notice.Notice) ([]byte, error) {
	switch channel {
	case config.ChannelSlackWebhook:
		return slack.Render(n), nil
	case config.ChannelSlackBot:
		return slack.RenderBot(n), nil
	case config.ChannelSES:
		return ses.Render(n), nil
	case config.ChannelPagerDuty:
		return pagerduty.Render(n), nil
	case config.ChannelWebhook:
		return webhook.Render(n), nil
	default:
		return nil, fmt.Errorf("there is no channel %q", channel)
	}
}
