package explain

import "github.com/ringonce/ringonce/internal/notice"

// Narrow limits the state and the title of a report to one episode, so that its reader
// learns nothing of a later one.
func (rep *Report) Narrow(episode int) {
	if rep.State.Episode == episode && rep.State.Status != "streak" {
		return
	}
	rep.State = State{Episode: episode, Status: "resolved"}
	for _, e := range rep.Episodes {
		if e.Number == episode {
			rep.State.OpenedAt, rep.State.ResolvedAt = e.Opened, e.Resolved
		}
	}
	rep.Identity.Title = ""
	if last := rep.Evidence.Last; last != nil {
		rep.Identity.Title = notice.OneLine(last.Summary)
	}
}
