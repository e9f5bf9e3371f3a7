package scenario_test

import (
	"context"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/deliver"
	"github.com/ringonce/ringonce/internal/delivery"
)

// around is a sender around whose send something else happens.
type around struct {
	deliver.Sender
	happens func()
}

func (a around) Send(ctx context.Context, to config.Destination, d delivery.Delivery) delivery.Outcome {
	a.happens()
	o := a.Sender.Send(ctx, to, d)
	a.happens()
	return o
}
