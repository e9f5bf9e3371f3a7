package dynamo

import (
	"errors"
	"fmt"
	"maps"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/ringonce/ringonce/internal/delivery"
	"github.com/ringonce/ringonce/internal/incident"
	"github.com/ringonce/ringonce/internal/notice"
)

type deliveryRow struct {
	IncidentKey string `dynamodbav:"incident_key"`
	Slot        string `dynamodbav:"slot"`
	ID          string `dynamodbav:"id,omitempty"`
	Episode     int    `dynamodbav:"episode"`
	Sequence    int    `dynamodbav:"sequence"`
	Action      string `dynamodbav:"action"`
	Destination string `dynamodbav:"destination"`
	Channel     string `dynamodbav:"channel,omitempty"`
	Owner       string `dynamodbav:"owner,omitempty"`
	CostCenter  string `dynamodbav:"cost_center,omitempty"`
	Source      string `dynamodbav:"source,omitempty"`
	Tick        tick   `dynamodbav:"tick,omitempty"`

	CreatedAt time.Time     `dynamodbav:"created_at,omitempty"`
	Notice    notice.Notice `dynamodbav:"notice"`
	Payload   payload       `dynamodbav:"payload,omitempty"`

	State      string    `dynamodbav:"state"`
	Fence      int64     `dynamodbav:"fence"`
	LeaseOwner string    `dynamodbav:"lease_owner,omitempty"`
	LeaseUntil time.Time `dynamodbav:"lease_until,omitempty"`
	// DueShard and DueAt are there only until the item is final, which makes
	// the index due sparse.
	DueShard string    `dynamodbav:"due_shard,omitempty"`
	DueAt    string    `dynamodbav:"due_at,omitempty"`
	Attempts []attempt `dynamodbav:"attempts,omitempty"`
	LeftOut  []leftOut `dynamodbav:"left_out,omitempty"`
	Note     string    `dynamodbav:"note,omitempty"`
	Receipt  *receipt  `dynamodbav:"receipt,omitempty"`
	In       string    `dynamodbav:"told_in,omitempty"`
	For      string    `dynamodbav:"instead_of,omitempty"`
	Insisted bool      `dynamodbav:"insisted,omitempty"`
	Silenced string    `dynamodbav:"silenced_by,omitempty"`
	// ExpiresAt is there only once the item is final.
	ExpiresAt int64 `dynamodbav:"expires_at,omitempty"`
}

func (s *Store) deliveryItem(d delivery.Delivery) (item, error) {
	row := deliveryRow{
		IncidentKey: d.IncidentKey, Slot: d.Ref().Slot, ID: d.ID, Episode: d.Episode,
		Sequence: d.Sequence, Action: string(d.Action), Destination: d.Destination,
		Channel: d.Channel, Owner: d.Owner, CostCenter: d.CostCenter, Source: d.Source,
		Tick: tick(d.Tick), CreatedAt: d.CreatedAt, Notice: d.Notice, Payload: d.Payload,
		State: string(d.State), Fence: d.Fence, LeaseOwner: d.LeaseOwner,
		LeaseUntil: d.LeaseUntil, Note: d.Note, In: d.In, For: d.For, Insisted: d.Insisted, Silenced: d.SilencedBy,
	}
	for i, a := range d.Attempts {
		if a.Number == i+1 {
			a.Number = 0
		}
		row.Attempts = append(row.Attempts, attempt(a))
	}
	for _, l := range d.LeftOut {
		row.LeftOut = append(row.LeftOut, leftOut(l))
	}
	if d.Receipt != (delivery.Receipt{}) {
		r := receipt(d.Receipt)
		row.Receipt = &r
	}
	if !d.State.Final() {
		row.DueShard, row.DueAt = dueShard(d.IncidentKey), formatStamp(d.DueAt)
	} else {
		row.ExpiresAt = epoch(expiry(s.now(), s.deliveriesKept))
	}
	return encode(row)
}

func deliveryFromItem(it item) (delivery.Delivery, error) {
	r, err := decode[deliveryRow](it)
	if err == nil {
		err = errors.Join(requireTexts(it, "incident_key", "slot", "state"), requireNumbers(it, "fence"))
	}
	due, dueErr := parseDue(r.DueAt)
	if err = errors.Join(err, dueErr); err != nil {
		return delivery.Delivery{}, fmt.Errorf("delivery %s of %s: %w", r.Slot, r.IncidentKey, err)
	}
	d := delivery.Delivery{
		ID: r.ID, IncidentKey: r.IncidentKey, Episode: r.Episode, Sequence: r.Sequence,
		Action: incident.Action(r.Action), Destination: r.Destination, Channel: r.Channel,
		Owner: r.Owner, CostCenter: r.CostCenter, Source: r.Source, Tick: time.Time(r.Tick),
		CreatedAt: r.CreatedAt, Notice: r.Notice, Payload: r.Payload,
		State: delivery.State(r.State), Fence: r.Fence, LeaseOwner: r.LeaseOwner,
		LeaseUntil: r.LeaseUntil, DueAt: due, Note: r.Note, In: r.In, For: r.For, Insisted: r.Insisted, SilencedBy: r.Silenced,
	}
	if r.Receipt != nil {
		d.Receipt = delivery.Receipt(*r.Receipt)
	}
	for _, l := range r.LeftOut {
		d.LeftOut = append(d.LeftOut, delivery.LeftOut(l))
	}
	last := 0
	for _, a := range r.Attempts {
		if a.Number == 0 {
			a.Number = last + 1
		}
		last = a.Number
		d.Attempts = append(d.Attempts, delivery.Attempt(a))
	}
	return d, nil
}

func parseDue(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := parseStamp(s)
	if err != nil {
		err = fmt.Errorf("attribute due_at: %w", err)
	}
	return t, err
}

func dueShard(incidentKey string) string { return shard(incidentKey, indexShards) }

// receipt has delivery.Receipt's fields.
type receipt struct {
	Fate delivery.Fate `dynamodbav:"fate"`
	Code string        `dynamodbav:"code,omitempty"`
	At   time.Time     `dynamodbav:"at"`
}

// leftOut has delivery.LeftOut's fields.
type leftOut struct {
	Day       string `dynamodbav:"day"`
	Attempted int64  `dynamodbav:"attempted"`
	Repeated  int64  `dynamodbav:"repeated,omitempty"`
}

// attempt is stored without its number where the number follows from its position: a
// claim appends an attempt without reading how many there are. The number is stored
// only where earlier attempts have been left out.
type attempt delivery.Attempt

func (a attempt) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	it, err := encode(delivery.Attempt(a))
	if a.Number == 0 {
		delete(it, "number")
	}
	maps.DeleteFunc(it, func(_ string, av types.AttributeValue) bool { return isNull(av) })
	return &types.AttributeValueMemberM{Value: it}, err
}

// payload is stored as text, readable in the console, unless a channel's bytes are
// not text.
type payload []byte

func (p payload) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	if utf8.Valid(p) {
		return text(string(p)), nil
	}
	return &types.AttributeValueMemberB{Value: p}, nil
}

func (p *payload) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	if b, ok := av.(*types.AttributeValueMemberB); ok {
		*p = b.Value
		return nil
	}
	s, err := asText(av)
	*p = payload(s)
	return err
}

func deliveryKey(ref delivery.Ref) item {
	return item{"incident_key": text(ref.IncidentKey), "slot": text(ref.Slot)}
}

func doing(verb string, ref delivery.Ref) string {
	return fmt.Sprintf("%s delivery %s of %s", verb, ref.Slot, ref.IncidentKey)
}
