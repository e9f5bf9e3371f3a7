package source

import (
	"fmt"

	"github.com/ringonce/ringonce/internal/observation"
)

const (
	// maxProblems keeps a body with a million broken items from filling a row.
	maxProblems = 20
	// maxProblem is the most characters of one problem: a vendor may redirect to a
	// host whose name has a quarter of a megabyte.
	maxProblem = 500
)

type problems struct {
	list []observation.Problem
	more int
	// grave says that a page or an item is lost; the problem itself may be dropped
	// from the list.
	grave bool
}

func (p *problems) add(one observation.Problem) {
	p.grave = p.grave || !one.Evidence
	if len(p.list) >= maxProblems {
		p.more++
		return
	}
	p.list = append(p.list, one)
}

// all returns the first problems, and last the number of the others.
func (p *problems) all() []observation.Problem {
	if p.more == 0 {
		return p.list
	}
	return append(p.list, observation.Problem{What: fmt.Sprintf("%d more problems are not listed", p.more), Evidence: !p.grave})
}
