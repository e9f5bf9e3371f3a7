package report

import "time"

// Report is what was measured. As JSON it is what `ringonce report --json`
// prints. Times are UTC; a decision, a message and a poll belong to the period
// that holds their tick.
type Report struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Incidents are the episodes with a decision in the period, Opened those that
	// opened in it.
	Incidents int `json:"incidents"`
	Opened    int `json:"opened"`

	Times        Times         `json:"times"`
	Messages     Messages      `json:"messages"`
	Sources      []Source      `json:"sources"`
	Destinations []Destination `json:"destinations"`
	Owners       []Owner       `json:"owners"`
	Whole        Whole         `json:"reconstruction"`

	// Definitions say what each number is.
	Definitions []Definition `json:"definitions"`
	// Notes say what limits the numbers.
	Notes []string `json:"notes"`
	Reads Reads    `json:"reads"`
}

// Times are the distributions of what took how long.
type Times struct {
	Detect    Spread `json:"detect"`
	FromEvent Spread `json:"detect_from_event"`
	Notify    Spread `json:"notify"`
	Opens     Spread `json:"notify_open"`
	EndToEnd  Spread `json:"end_to_end"`
}

// Messages counts what was sent, and what of it twice. A digest is one message.
type Messages struct {
	Accepted int `json:"accepted"`
	// Twice arrived again for certain; MayBeTwice were sent again after an attempt
	// that may have arrived.
	Twice      int     `json:"duplicates"`
	MayBeTwice int     `json:"possible_duplicates"`
	Rate       float64 `json:"duplicate_rate"`
	AtMost     float64 `json:"duplicate_rate_at_most"`
}

// Source is the load on one vendor endpoint.
type Source struct {
	Source  string `json:"source"`
	Polls   int    `json:"polls"`
	OK      int    `json:"ok"`
	Partial int    `json:"partial"`
	Failed  int    `json:"failed"`
	Skipped int    `json:"skipped"`
	// Unfinished are those under way, and those whose worker was lost.
	Unfinished int `json:"unfinished"`
	Requests   int `json:"requests"`
	Retries    int `json:"retries"`
	// Limited are the requests that the vendor's rate limit refused, LimitedShare
	// their share of all.
	Limited      int     `json:"rate_limited"`
	LimitedShare float64 `json:"rate_limited_share"`
	// First is the oldest poll of the period that is stored.
	First time.Time `json:"first_poll,omitzero"`
}

// Destination is how sending to one destination went.
type Destination struct {
	Destination string `json:"destination"`
	Messages    int    `json:"messages"`
	Accepted    int    `json:"accepted"`
	// Silenced are the messages that a silence kept back; they are none of the
	// others.
	Silenced int `json:"silenced"`
	Held     int `json:"held"`
	Dead     int `json:"dead"`
	Attempts int `json:"attempts"`
	// Failed counts the attempts that were not accepted, by their class; those of
	// a lost worker are ambiguous.
	Failed      map[string]int `json:"failed"`
	FailedShare float64        `json:"failed_share"`
}

// Owner is what one owner was told.
type Owner struct {
	Owner     string `json:"owner"`
	Incidents int    `json:"incidents"`
	// Notices are the accepted messages, by what they tell; a digest counts once.
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

// Lack is an incident that cannot be reconstructed, and for want of what.
type Lack struct {
	Key     string `json:"incident_key"`
	Episode int    `json:"episode"`
	// Parts are those of the definition that are missing; Why says more of each.
	Parts []string `json:"parts"`
	Why   []string `json:"why"`
}

// Reads says what the report cost.
type Reads struct {
	Incidents    int `json:"incident_rows"`
	Decisions    int `json:"decisions"`
	Deliveries   int `json:"deliveries"`
	Runs         int `json:"poll_runs"`
	Observations int `json:"observations"`
	// Requests and Units are what the tables were asked and what DynamoDB charges
	// for it, where that is counted.
	Requests int     `json:"requests,omitempty"`
	Units    float64 `json:"read_units,omitempty"`
}

func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}
