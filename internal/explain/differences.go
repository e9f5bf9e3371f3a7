package explain

import (
	"fmt"
	"time"
)

// maxDifferences bounds the rows of a history that differs in many places; further
// ones count towards the last row.
const maxDifferences = 50

// differences are rows of differences, in the order in which they were found.
type differences []Difference

// add adds a difference, to the last row if that has the same texts.
func (all *differences) add(tick time.Time, log, replay string) {
	if n := len(*all); n > 0 {
		last := &(*all)[n-1]
		if (last.Log == log && last.Replay == replay) || n == maxDifferences {
			last.Count++
			last.Last = tick
			return
		}
	}
	*all = append(*all, Difference{First: tick, Last: tick, Count: 1, Log: log, Replay: replay})
}

// doubtWords says that the log cannot be checked where these differences are.
func (all differences) doubtWords() string {
	first, last, n := all[0], all[len(all)-1], 0
	for _, d := range all {
		n += d.Count
	}
	text := fmt.Sprintf("whether the log is right at %s cannot be told, because it is not known by which policy, or in which order, the observations were judged (logged: %s; replayed: %s)",
		stamp(first.First), first.Log, first.Replay)
	if n > 1 {
		text += fmt.Sprintf("; nor %s more, until %s", times(n-1), stamp(last.Last))
	}
	return text
}

// Difference is where the replay and the log disagree in one way, once or repeatedly.
type Difference struct {
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	Count int       `json:"count"`
	// Log and Replay say what each of the two has.
	Log    string `json:"log"`
	Replay string `json:"replay"`
}
