package scenario_test

import (
	"context"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
)

// hookedSender is a sender that runs a function before and after each send.
type hookedSender struct {
	deliver.Sender
	hook func()
}

func (s hookedSender) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	s.hook()
	o := s.Sender.Send(ctx, to, d)
	s.hook()
	return o
}
