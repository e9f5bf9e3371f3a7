package explain

import "github.com/ringonce/ringonce/internal/notice"

// Narrow keeps a report of one episode to that episode: how it stands and what it
// is called. Whoever is shown it learns nothing of a later one.
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
