package observation

import "time"

// Item is one thing a vendor listed, mapped to Ringonce's words but not yet
// bound to a tick. Several items may share one incident key.
type Item struct {
	Kind     string
	Parts    []Part
	Verdict  Verdict
	Status   string
	Summary  string
	Evidence Evidence
}

// Listing is everything one poll of one source brought back.
type Listing struct {
	Items []Item
	// Complete is true only when every page was read and every item has its
	// key and verdict. Only then may a key's absence mean anything.
	Complete bool
	// Problems says what could not be read: a page, an item, a field.
	Problems []Problem
	// Requests, Retries and Waited account for the vendor's load and ours; Limited
	// are the requests that the vendor's rate limit refused.
	Requests int
	Limited  int
	Retries  int
	Waited   time.Duration
	// NotBefore is until when the vendor wants to be left alone, where that is
	// longer than this poll could wait; zero where it said nothing of the kind.
	NotBefore time.Time
	// Skew is how far the vendor's clock, as its answers date themselves, runs
	// ahead of ours, or behind where it is negative.
	Skew time.Duration
	// Canary says what became of the source's canary; empty where it has none.
	Canary string
}

// Problem is one part of a listing that could not be used, and why. Neither
// text may hold a secret or personal data.
type Problem struct {
	// Where names the page or item: "page 2", "page 1 item 14 (id 6507376925)".
	Where string
	// What says what was wrong and, where it helps, what to do.
	What string
	// Evidence marks a problem with what a person reads about an item whose key
	// and verdict are known: absence and health are proven all the same.
	Evidence bool
}

func (p Problem) String() string {
	if p.Where == "" {
		return p.What
	}
	return p.Where + ": " + p.What
}
