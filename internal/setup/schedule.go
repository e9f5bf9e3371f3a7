package setup

import (
	"encoding/json"
	"fmt"
	"time"
)

// Scheduled is the event that a schedule sends: its scheduled time, which EventBridge
// Scheduler substitutes for <aws.scheduler.scheduled-time>.
type Scheduled struct{ Time time.Time }

// UnmarshalJSON reads {"scheduled_time":"2026-01-02T03:04:00Z"} and refuses anything
// else: without its scheduled time a poll does not know its tick.
func (s *Scheduled) UnmarshalJSON(data []byte) error {
	var event struct {
		ScheduledTime string `json:"scheduled_time"`
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return fmt.Errorf(`read the schedule's event: want {"scheduled_time":"2026-01-02T03:04:00Z"}: %w`, err)
	}
	t, err := time.Parse(time.RFC3339, event.ScheduledTime)
	if err != nil {
		return fmt.Errorf("read the schedule's event: scheduled_time %q: want a time such as 2026-01-02T03:04:00Z; "+
			"the schedule's input must hold <aws.scheduler.scheduled-time>", event.ScheduledTime)
	}
	s.Time = t.UTC()
	return nil
}
