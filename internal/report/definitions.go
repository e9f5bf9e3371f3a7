package report

// Definition defines a number of the report.
type Definition struct {
	Name string `json:"name"`
	Is   string `json:"is"`
}

// Definitions returns the definitions of all numbers, in the order of the output.
func Definitions() []Definition {
	return []Definition{
		{"period", "what has its tick, the scheduled time of its poll, between both days, in UTC"},
		{"incident", "one episode: an open with all that follows up to its resolve"},
		{"detect", "from the first failing tick of an incident to the decision to open it; failing_required is in it, what passes before a poll can see the failure is not"},
		{"detect_from_event", "from the vendor's own time of the incident's first event to the decision; only where the vendor gives one that lies after the source's first stored poll of the period and after the incident's last resolve"},
		{"notify", "from a decision to the provider's acceptance of a message that tells it, for each message that arrived; what a digest tells is accepted with the digest"},
		{"notify_open", "the same, of opens alone"},
		{"end_to_end", "from the first failing tick to the first acceptance of the open, at whichever destination"},
		{"p50, p95", "by nearest rank: the smallest time that 50, or 95, in 100 are not above"},
		{"duplicate_rate", "further acceptances of a message, and of the same action at the same destination, over accepted messages; at most: with those sent again after an attempt that may have arrived"},
		{"rate_limited", "requests that the vendor answered with 429, of all requests, retries included"},
		{"failed", "attempts that were not accepted, by class, of all attempts to a destination; those of a digest count once"},
		{"notices", "accepted messages of an owner, by what they tell; a digest counts once"},
		{"reconstruction", "incidents of which every part is stored, over incidents: " + partsText()},
	}
}

// The parts that are needed to reconstruct an incident.
const (
	PartKey       = "key"
	PartSource    = "source"
	PartFirst     = "first evidence"
	PartLast      = "last evidence"
	PartLink      = "link or id"
	PartDecisions = "decisions"
	PartAttempts  = "attempts"
)

// Parts returns the parts, each with what it requires.
func Parts() []Definition {
	return []Definition{
		{PartKey, "its row, and a key that names its parts"},
		{PartSource, "the source of each decision, and an owner"},
		{PartFirst, "what the vendor said when it opened, in a message or an observation"},
		{PartLast, "what the vendor said last, in the same way"},
		{PartLink, "the vendor's link or its id; an incident about a source itself, or a smoke test, needs none"},
		{PartDecisions, "every decision from its open on, without a gap, with a resolve if it is over, each with its reason"},
		{PartAttempts, "for each destination of each decision its message; of each message every attempt with its time and outcome"},
	}
}

// partsText lists the parts in one text.
func partsText() string {
	text := ""
	for i, p := range Parts() {
		if i > 0 {
			text += "; "
		}
		text += p.Name + " (" + p.Is + ")"
	}
	return text
}
