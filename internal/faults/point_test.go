package faults_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ringonce/ringonce/internal/incident"
)

// class is the kind of place in a story where something can go wrong.
type class int

const (
	// before and after stand around every operation of the store.
	before class = iota
	after
	// record is a batch that a stream hands over.
	record
	// send is a message on its way to a service, mail one to a service that says
	// later what has become of it.
	send
	mail
	// fetch is a request to the vendor, enrich the second one about a new failure.
	fetch
	enrich
	// look is a request to Slack for where a message is that may have arrived, update
	// one to have the first message of a thread say how it stands.
	look
	update
	// receipt is what a service says of messages later.
	receipt
)

// fault is what goes wrong at a place.
type fault string

const (
	kill       fault = "kill"
	throttle   fault = "throttle"
	conflict   fault = "conflict"
	lostAnswer fault = "lost answer"
	asleep     fault = "asleep"

	lost     fault = "lost"
	repeated fault = "repeated"
	swapped  fault = "swapped"

	acceptAndClose fault = "accept and close"
	tooMany        fault = "429"
	serverError    fault = "500"
	refused        fault = "400"
	gone           fault = "404"
	hang           fault = "hang"
	killSent       fault = "kill after sending"
	asleepSent     fault = "asleep after sending"
	outage         fault = "out for minutes"
	bounced        fault = "bounced"

	killAsked   fault = "kill after asking"
	asleepAsked fault = "asleep after asking"
	unlisted    fault = "unlisted"
	rotated     fault = "token rotated"

	unreadable fault = "unreadable"
	partial    fault = "partial"
)

// possible are the faults of each class of place.
var possible = map[class][]fault{
	before: {kill, throttle, conflict, asleep},
	after:  {kill, lostAnswer, asleep},
	record: {lost, repeated, swapped},
	send:   {kill, acceptAndClose, tooMany, serverError, refused, gone, hang, killSent, asleep, asleepSent, outage},
	mail:   {kill, acceptAndClose, tooMany, serverError, refused, gone, hang, killSent, asleep, asleepSent, outage, bounced},
	fetch:  {kill, unreadable, partial},
	enrich: {kill, serverError, hang, lostAnswer, killAsked, asleep},
	look:   {kill, tooMany, serverError, refused, rotated, hang, unlisted, lostAnswer, killAsked, asleep, asleepAsked},
	update: {kill, tooMany, serverError, refused, rotated, hang, lostAnswer, killAsked, asleep, asleepAsked},
	// Topics keep what they could not hand over: nothing of it is lost.
	receipt: {repeated, swapped},
}

var (
	errKilled    = errors.New("the process is dead")
	errThrottled = errors.New("throttled")
	errLost      = errors.New("the answer was lost")
)

// errOf is what an operation returns for a fault of the store.
func errOf(f fault) error {
	switch f {
	case kill:
		return errKilled
	case throttle:
		return errThrottled
	case conflict:
		return fmt.Errorf("%w: transaction conflict", incident.ErrBusy)
	case lostAnswer:
		return errLost
	default:
		return nil
	}
}

// planned is a fault at the nth place that a run comes to.
type planned struct {
	place int
	// choice picks among what is possible there.
	choice int
}

// process is one invocation. Once it is dead, nothing it does has any effect.
type process struct{ dead bool }

type processKey struct{}

func processOf(ctx context.Context) *process {
	p, _ := ctx.Value(processKey{}).(*process)
	return p
}

func invoked(ctx context.Context) context.Context {
	return context.WithValue(ctx, processKey{}, &process{})
}
