package report

import "time"

// Report is the result of a measurement. As JSON it is what `ringonce report --json`
// prints. Times are UTC. A decision, a message or a poll belongs to the period if its
// tick does.
type Report struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Incidents counts the episodes with a decision in the period, Opened those that
	// opened in it.
	Incidents int `json:"incidents"`
	Opened    int `json:"opened"`

	Times        Times         `json:"times"`
	Messages     Messages      `json:"messages"`
	Sources      []Source      `json:"sources"`
	Destinations []Destination `json:"destinations"`
	Owners       []Owner       `json:"owners"`
	Whole        Whole         `json:"reconstruction"`

	// Definitions define each number.
	Definitions []Definition `json:"definitions"`
	// Notes say what limits the numbers.
	Notes []string `json:"notes"`
	Reads Reads    `json:"reads"`
}

// Times are the distributions of the measured times; see Definitions.
type Times struct {
	Detect    Spread `json:"detect"`
	FromEvent Spread `json:"detect_from_event"`
	Notify    Spread `json:"notify"`
	Opens     Spread `json:"notify_open"`
	EndToEnd  Spread `json:"end_to_end"`
}

// Messages counts accepted messages and duplicates. A digest is one message.
type Messages struct {
	Accepted int `json:"accepted"`
	// Twice counts messages that certainly arrived again, MayBeTwice those sent again
	// after an attempt that may have arrived.
	Twice      int     `json:"duplicates"`
	MayBeTwice int     `json:"possible_duplicates"`
	Rate       float64 `json:"duplicate_rate"`
	AtMost     float64 `json:"duplicate_rate_at_most"`
}

// Source is the polls of one source, and the load that they put on its vendor.
type Source struct {
	Source  string `json:"source"`
	Polls   int    `json:"polls"`
	OK      int    `json:"ok"`
	Partial int    `json:"partial"`
	Failed  int    `json:"failed"`
	Skipped int    `json:"skipped"`
	// Unfinished counts polls that are running or whose worker was lost.
	Unfinished int `json:"unfinished"`
	Requests   int `json:"requests"`
	Retries    int `json:"retries"`
	// Limited counts requests that the vendor answered with 429, LimitedShare is their
	// share of all.
	Limited      int     `json:"rate_limited"`
	LimitedShare float64 `json:"rate_limited_share"`
	// First is the tick of the oldest stored poll in the period.
	First time.Time `json:"first_poll,omitzero"`
}

// Destination counts the messages to one destination.
type Destination struct {
	Destination string `json:"destination"`
	Messages    int    `json:"messages"`
	Accepted    int    `json:"accepted"`
	// Silenced counts messages that a silence suppressed. No other field counts them.
	Silenced int `json:"silenced"`
	Held     int `json:"held"`
	Dead     int `json:"dead"`
	Attempts int `json:"attempts"`
	// Failed counts the attempts that were not accepted, by class. Those of a lost
	// worker are ambiguous.
	Failed      map[string]int `json:"failed"`
	FailedShare float64        `json:"failed_share"`
}

// Owner counts what one owner was told.
type Owner struct {
	Owner     string `json:"owner"`
	Incidents int    `json:"incidents"`
	// Notices counts accepted messages by action. A digest counts once.
	Notices map[string]int `json:"notices"`
	Total   int            `json:"total"`
}

// Whole says how many incidents can be reconstructed.
type Whole struct {
	Incidents int     `json:"incidents"`
	Whole     int     `json:"whole"`
	Share     float64 `json:"share"`
	// Lacking counts the incidents that lack each part.
	Lacking map[string]int `json:"lacking"`
	Not     []Lack         `json:"not_whole"`
}

// Lack is an episode that cannot be reconstructed, and what is missing.
type Lack struct {
	Key     string `json:"incident_key"`
	Episode int    `json:"episode"`
	// Parts are the missing parts; Why explains each.
	Parts []string `json:"parts"`
	Why   []string `json:"why"`
}

// Reads counts what was read for the report.
type Reads struct {
	Incidents    int `json:"incident_rows"`
	Decisions    int `json:"decisions"`
	Deliveries   int `json:"deliveries"`
	Runs         int `json:"poll_runs"`
	Observations int `json:"observations"`
	// Requests and Units are the requests to DynamoDB and the read units that it charges
	// for them, if they are counted.
	Requests int     `json:"requests,omitempty"`
	Units    float64 `json:"read_units,omitempty"`
}

// share returns part / all; zero if all is.
func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}
