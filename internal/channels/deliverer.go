package channels

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/observation"
	"github.com/ringonce/ringonce/internal/pagerduty"
	"github.com/ringonce/ringonce/internal/ses"
	"github.com/ringonce/ringonce/internal/ses/api"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/setup/secrets"
	"github.com/ringonce/ringonce/internal/slack"
	"github.com/ringonce/ringonce/internal/webhook"
	"github.com/ringonce/ringonce/internal/wire"
)

const (
	// lease is longer than a send and the write of its outcome may take.
	lease = 90 * time.Second
	// margin is how long the slowest send, a mail or a bot's, may take: a send that
	// starts later could be cut off by the end of the invocation, its outcome
	// unknown.
	margin = max(ses.Timeout, slack.BotTimeout) + 5*time.Second
	// recheck is how soon a message that waits for an earlier one is checked again;
	// sweep runs every minute.
	recheck = 15 * time.Second
	// patience is how long an invocation for new messages waits for the turn of a
	// paced destination; sweep sends what would have to wait longer.
	patience = 5 * time.Second
)

// Deliverer builds the use case that the functions deliver and sweep share.
func Deliverer(cfg *config.Config, awsCfg aws.Config, tables dynamo.Tables, log *slog.Logger) *deliver.Deliverer {
	vault := secrets.New(awsCfg, log)
	ledger := dynamo.New(dynamodb.NewFromConfig(awsCfg), tables, setup.Retention(cfg)...)
	transport := wire.Transport()
	mail := ses.NewSender(api.New(sesv2.NewFromConfig(awsCfg, forMails)), setup.Now)
	mail.ConfigurationSet = os.Getenv(setup.ConfigurationSetVar)
	secrets.Load(vault, cfg.DestinationSecrets(), log)
	return &deliver.Deliverer{
		Config: cfg, Log: log, Render: Render,
		Ledger: ledger,
		Senders: map[string]deliver.Sender{
			config.ChannelSlackWebhook: SlackWebhook{Sender: slack.NewSender(transport, setup.Now), Secrets: vault, Log: log},
			config.ChannelSlackBot:     SlackBot{Bot: slack.NewBot(transport, setup.Now), Secrets: vault, Log: log, Ledger: ledger},
			config.ChannelPagerDuty:    PagerDuty{Sender: pagerduty.NewSender(transport, setup.Now), Secrets: vault, Log: log},
			config.ChannelWebhook:      Webhook{Sender: webhook.NewSender(transport, setup.Now), Secrets: vault, Log: log},
			config.ChannelSES:          Mail{Sender: mail, Taken: reported(mail.ConfigurationSet, ledger, log)},
		},
		Now: setup.Now, Token: setup.Token, Jitter: rand.Float64,
		Sleep: setup.Sleep, Patience: patience,
		Lease: lease, Recheck: recheck, Margin: margin,
	}
}

// forMails gives the SDK's client wire.Transport's limit on idle connections, and a
// mail's time to wait for SES's answer: unlike the other calls to AWS, this one must not
// be repeated.
func forMails(o *sesv2.Options) {
	if c, ok := o.HTTPClient.(*awshttp.BuildableClient); ok {
		o.HTTPClient = c.WithTransportOptions(func(t *http.Transport) {
			t.IdleConnTimeout, t.ResponseHeaderTimeout = wire.Idle, ses.Timeout
		})
	}
}

// reported returns a function that leaves a beat for mails that SES will report on,
// which are those with a configuration set: the heartbeat notices if the reports are
// missing.
func reported(configurationSet string, beats setup.Beats, log *slog.Logger) func(context.Context, time.Time) {
	if configurationSet == "" {
		return nil
	}
	return func(ctx context.Context, begun time.Time) {
		setup.LeaveBeat(ctx, beats, observation.Beat{Part: observation.BeatMailed, Tick: begun, At: begun}, log)
	}
}
