package observation

import "time"

// Item is one listed item of a vendor, mapped to Ringonce's terms but not yet bound to a
// tick. Several items may share one incident key.
type Item struct {
	Kind     string
	Parts    []Part
	Verdict  Verdict
	Status   string
	Summary  string
	Evidence Evidence
}

// Listing is the result of one poll of one source.
type Listing struct {
	Items []Item
	// Complete is true only if every page was read and every item has a key and a
	// verdict. Only then may the absence of a key mean anything.
	Complete bool
	// Problems says what could not be read: a page, an item, a field.
	Problems []Problem
	// Requests, Retries and Waited account for the vendor's load and ours; Limited
	// are the requests that the vendor's rate limit refused.
	Requests int
	Limited  int
	Retries  int
	Waited   time.Duration
	// NotBefore is the end of a rate limit that outlasts this poll; zero if there is
	// none.
	NotBefore time.Time
	// Skew is how far the vendor's clock, by the Date of its answers, is ahead of ours;
	// negative if it is behind.
	Skew time.Duration
	// Canary says whether the source's canary was found; empty if it has none.
	Canary string
}

// Problem is one part of a listing that could not be used, and why. Neither
// text may hold a secret or personal data.
type Problem struct {
	// Where names the page or item: "page 2", "page 1 item 14 (id 6507376925)".
	Where string
	// What says what was wrong and, if it helps, what to do.
	What string
	// Evidence marks a problem that affects only an item's evidence, not its key or
	// verdict. The listing still proves absence and health.
	Evidence bool
}

func (p Problem) String() string {
	if p.Where == "" {
		return p.What
	}
	return p.Where + ": " + p.What
}
