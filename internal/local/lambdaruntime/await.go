package lambdaruntime

import "time"

// initLimit is how long a process may take to ask for its first work. AWS allows ten
// seconds; a busy machine gets more.
const initLimit = 30 * time.Second

// give hands the invocation to the child as soon as it asks for work.
func (p *process) give(inv *invocation) error {
	limit := time.NewTimer(initLimit)
	defer limit.Stop()
	select {
	case p.work <- inv:
		return nil
	case err := <-p.initError:
		return err
	case <-limit.C:
		return &TimeoutError{Function: p.function, After: initLimit, Init: true}
	case <-p.exited:
	}
	select {
	case err := <-p.initError:
		return err
	default:
		return &ExitError{Function: p.function, State: p.state}
	}
}

// await returns how an invocation that the child has taken ends.
func (p *process) await(inv *invocation) outcome {
	timer := time.NewTimer(time.Until(<-inv.taken))
	defer timer.Stop()
	select {
	case o := <-inv.result:
		return o
	case <-timer.C:
		p.kill()
		return outcome{err: &TimeoutError{Function: p.function, After: inv.timeout}}
	case <-p.exited:
	}
	select {
	case o := <-inv.result:
		return o
	default:
		return outcome{err: &ExitError{Function: p.function, State: p.state}}
	}
}

// asksAgain waits until the child asks for more work. It returns false if the child
// exits, as it does after a panic, or takes longer than an invocation may.
func (p *process) asksAgain(inv *invocation) bool {
	timer := time.NewTimer(inv.timeout)
	defer timer.Stop()
	select {
	case <-p.exited:
		return false
	case <-timer.C:
		return false
	case <-p.asked:
		return true
	}
}
