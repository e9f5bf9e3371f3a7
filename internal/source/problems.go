package source

import (
	"fmt"

	"github.com/ringonce/ringonce/internal/observation"
)

const (
	// maxProblems keeps a body of a million broken items from filling a row.
	maxProblems = 20
	// maxProblem is the most characters of one: a vendor may redirect to a host
	// with a name of a quarter of a megabyte.
	maxProblem = 500
)

type problems struct {
	list []observation.Problem
	more int
	// grave tells that a page or an item is lost, listed or not.
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

// all returns the first problems and how many there were besides.
func (p *problems) all() []observation.Problem {
	if p.more == 0 {
		return p.list
	}
	return append(p.list, observation.Problem{What: fmt.Sprintf("%d more problems are not listed", p.more), Evidence: !p.grave})
}
