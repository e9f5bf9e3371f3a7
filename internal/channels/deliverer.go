package channels

import (
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/ses"
	"github.com/ringonce/ringonce/internal/setup"
	"github.com/ringonce/ringonce/internal/slack"
)

const (
	// lease is longer than a send and the write of its outcome may take.
	lease = 90 * time.Second
	// margin is how long the slowest send may take: one that starts later could
	// be cut off by the end of the invocation, its outcome unknown.
	margin = ses.Timeout + 5*time.Second
	// recheck is how soon a message that waits for an earlier one is looked at
	// again; sweep comes by every minute.
	recheck = 15 * time.Second
)

// Deliverer wires the use case that the functions deliver and sweep share.
func Deliverer(cfg *config.Config, awsCfg aws.Config, tables dynamo.Tables, log *slog.Logger) *deliver.Deliverer {
	secrets := setup.Secrets(awsCfg, log)
	setup.LoadSecrets(secrets, cfg.DestinationSecrets(), log)
	return &deliver.Deliverer{
		Config: cfg, Log: log, Render: Render,
		Ledger: dynamo.New(dynamodb.NewFromConfig(awsCfg), tables),
		Senders: map[string]deliver.Sender{
			config.ChannelSlackWebhook: SlackWebhook{Sender: slack.NewSender(http.DefaultTransport, setup.Now), Secrets: secrets},
			config.ChannelSES:          Mail{Sender: ses.NewSender(sesv2.NewFromConfig(awsCfg), setup.Now)},
		},
		Now: setup.Now, Token: setup.Token, Jitter: rand.Float64,
		Lease: lease, Recheck: recheck, Margin: margin,
	}
}
