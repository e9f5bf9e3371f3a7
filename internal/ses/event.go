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

// Event is what SES says of one mail after it has taken it.
type Event struct {
	DeliveryID string
	MessageID  string
	Receipt    delivery.Receipt
}

// sesEvent is the part of an event of SES that is read, as EventBridge hands it
// on ("Examples of event data that Amazon SES publishes" in the SES Developer
// Guide). The addresses in it are not.
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

// fates are what SES's event types mean. The others, such as of delays and
// opened mails, say nothing that matters here.
var fates = map[string]delivery.Fate{
	"Send": delivery.Taken, "Delivery": delivery.Arrived, "Bounce": delivery.Bounced, "Complaint": delivery.Complained,
	"Reject": delivery.Rejected, "Rendering Failure": delivery.Rejected,
}

// ReadEvent reads an event. It returns false for one that is about no mail of
// ours or says nothing that matters, and an error for what is no event of SES.
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

// word is the form of SES's own words; anything else is not repeated, it could
// hold an address.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z -]{1,40}$`) })

// words writes SES's words as one code: "Permanent" and "General" are
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
