package emf

// Namespace is the CloudWatch namespace of all these metrics.
const Namespace = "Ringonce"

// The dimensions. Each has as many values as there are stacks, sources, actions,
// channels, destinations or owners: a few, which a person configured. Incident keys
// are no dimension, because CloudWatch charges for each value as a metric of its own.
const (
	Stack   = "Stack"
	Source  = "Source"
	Action  = "Action"
	Channel = "Channel"
	Owner   = "Owner"

	Destination = "Destination"
)

// Name is the name of a metric.
type Name string

// The metrics.
const (
	VendorRequests    Name = "VendorRequests"
	VendorRateLimited Name = "VendorRateLimited"
	VendorRetries     Name = "VendorRetries"
	VendorWait        Name = "VendorWait"
	VendorSkew        Name = "VendorSkew"
	UnreadablePolls   Name = "UnreadablePolls"
	Observations      Name = "Observations"

	Decisions    Name = "Decisions"
	TimeToDetect Name = "TimeToDetect"

	Attempts            Name = "Attempts"
	Deliveries          Name = "Deliveries"
	DeadDeliveries      Name = "DeadDeliveries"
	HeldDeliveries      Name = "HeldDeliveries"
	RateLimited         Name = "RateLimited"
	TimeToNotify        Name = "TimeToNotify"
	DuplicatesPrevented Name = "DuplicatesPrevented"
	Swept               Name = "Swept"

	Heartbeat         Name = "Heartbeat"
	PollAge           Name = "PollAge"
	DecideLag         Name = "DecideLag"
	DeliverLag        Name = "DeliverLag"
	OldestUndelivered Name = "OldestUndelivered"
	Undelivered       Name = "Undelivered"
	DeadToday         Name = "DeadToday"
	HeldToday         Name = "HeldToday"
	FailureQueueDepth Name = "FailureQueueDepth"
	SweepAge          Name = "SweepAge"
	PingFailures      Name = "PingFailures"
)

// Metric describes a metric to CloudWatch.
type Metric struct {
	Unit string
	// By are the dimensions, besides the stack, by which the metric is also
	// published, one at a time.
	By []string
	// Sum adds up the values of one invocation; without it each value is recorded,
	// for percentiles.
	Sum bool
}

const (
	count        = "Count"
	seconds      = "Seconds"
	milliseconds = "Milliseconds"
	none         = "None"
)

// Metrics are all metrics.
var Metrics = map[Name]Metric{
	VendorRequests:    {count, []string{Source}, true},
	VendorRateLimited: {count, nil, true},
	VendorRetries:     {count, []string{Source}, true},
	VendorWait:        {milliseconds, []string{Source}, true},
	VendorSkew:        {milliseconds, []string{Source}, false},
	UnreadablePolls:   {count, []string{Source}, true},
	Observations:      {count, []string{Source}, true},

	Decisions:    {count, []string{Action}, true},
	TimeToDetect: {milliseconds, nil, false},

	Attempts:            {count, []string{Channel, Owner}, true},
	Deliveries:          {count, []string{Channel, Owner}, true},
	DeadDeliveries:      {count, []string{Destination, Owner}, true},
	HeldDeliveries:      {count, []string{Channel}, true},
	RateLimited:         {count, []string{Channel}, true},
	TimeToNotify:        {milliseconds, nil, false},
	DuplicatesPrevented: {count, nil, true},
	Swept:               {count, nil, true},

	Heartbeat:         {none, nil, false},
	PollAge:           {seconds, []string{Source}, false},
	DecideLag:         {seconds, nil, false},
	DeliverLag:        {seconds, nil, false},
	OldestUndelivered: {seconds, nil, false},
	Undelivered:       {count, nil, false},
	DeadToday:         {count, nil, false},
	HeldToday:         {count, nil, false},
	FailureQueueDepth: {count, nil, false},
	SweepAge:          {seconds, nil, false},
	PingFailures:      {count, nil, true},
}
