package ses

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/ringonce/ringonce/internal/delivery"
)

// Event is what SES reports about one mail after accepting it.
type Event struct {
	DeliveryID string
	MessageID  string
	Receipt    delivery.Receipt
}

// sesEvent is the part of an SES event that is read, as EventBridge passes it on
// ("Examples of event data that Amazon SES publishes" in the SES Developer Guide).
// Its addresses are not read.
type sesEvent struct {
	Source string    `json:"source"`
	Time   time.Time `json:"time"`
	Detail *struct {
		EventType string `json:"eventType"`
		Mail      struct {
			MessageID string              `json:"messageId"`
			Tags      map[string][]string `json:"tags"`
		} `json:"mail"`
		Bounce struct {
			Type    string `json:"bounceType"`
			SubType string `json:"bounceSubType"`
		} `json:"bounce"`
		Complaint struct {
			Type string `json:"complaintFeedbackType"`
		} `json:"complaint"`
		Reject struct {
			Reason string `json:"reason"`
		} `json:"reject"`
	} `json:"detail"`
}

// fates maps SES's event types to fates. Other types, such as delays and opened
// mails, do not matter here.
var fates = map[string]delivery.Fate{
	"Send": delivery.Taken, "Delivery": delivery.Arrived, "Bounce": delivery.Bounced, "Complaint": delivery.Complained,
	"Reject": delivery.Rejected, "Rendering Failure": delivery.Rejected,
}

// ReadEvent reads an event. It returns false for an event about somebody else's mail
// or of a type that does not matter, and an error for data that is not an SES event.
func ReadEvent(data []byte) (Event, bool, error) {
	var e sesEvent
	if err := json.Unmarshal(data, &e); err != nil || e.Source != "aws.ses" || e.Detail == nil || e.Time.IsZero() {
		return Event{}, false, fmt.Errorf("this is no event of SES from EventBridge: want source, time and detail")
	}
	d := e.Detail
	fate, known := fates[d.EventType]
	ids := d.Mail.Tags[tagDelivery]
	if !known || len(ids) != 1 {
		return Event{}, false, nil
	}
	var code string
	switch fate {
	case delivery.Bounced:
		code = words(d.Bounce.Type, d.Bounce.SubType)
	case delivery.Complained:
		code = words(d.Complaint.Type)
	case delivery.Rejected:
		code = words(d.EventType, d.Reject.Reason)
	}
	return Event{
		DeliveryID: ids[0], MessageID: d.Mail.MessageID,
		Receipt: delivery.Receipt{Fate: fate, Code: code, At: e.Time.UTC()},
	}, true, nil
}

// word matches SES's own words. Any other text is not repeated, since it could hold
// an address.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z -]{1,40}$`) })

// words joins SES's words into one code: "Permanent" and "General" become
// permanent_general.
func words(all ...string) string {
	var kept []string
	for _, s := range all {
		if word().MatchString(s) {
			kept = append(kept, strings.ToLower(strings.NewReplacer(" ", "_", "-", "_").Replace(s)))
		}
	}
	return strings.Join(kept, "_")
}
