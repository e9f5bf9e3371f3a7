package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/mail"
	"slices"
	"strings"
)

// recipientSeparator cannot occur in an id in the file, so that the two kinds of id
// never collide.
const recipientSeparator = "/"

// maxDeliveries bounds the messages of one of an owner's decisions: a decision and
// all its deliveries are one DynamoDB transaction, which takes 100 items.
const maxDeliveries = 40

// RecipientID returns the id of the destination for one recipient of a mail
// destination. Each recipient gets a message of its own, with its own row in the
// ledger, so that one bad address harms no other and no recipient sees the others.
// The id holds no address, and does not depend on the rest of the list.
func RecipientID(destination, address string) string {
	if a, err := mail.ParseAddress(address); err == nil {
		address = a.Address
	}
	sum := sha256.Sum256([]byte(destination + "\n" + strings.ToLower(address)))
	return destination + recipientSeparator + hex.EncodeToString(sum[:4])
}

// addRecipients adds a destination for each recipient of a mail destination. The
// destination itself stays, since the open of an incident may have been sent under
// either kind of id, and its resolve follows it.
func (b *builder) addRecipients(d Destination) {
	for _, to := range d.To {
		one := d
		one.ID, one.Group, one.To = RecipientID(d.ID, to), d.ID, []string{to}
		b.cfg.Destinations[one.ID] = one
	}
}

// Recipients returns the ids of the recipients of a configured destination, if it has
// several, or its own.
func (c *Config) Recipients(id string) []string {
	d := c.Destinations[id]
	if len(d.To) < 2 || d.Group != "" {
		return []string{id}
	}
	ids := make([]string, 0, len(d.To))
	for _, to := range d.To {
		ids = append(ids, RecipientID(id, to))
	}
	return ids
}

// Written returns, sorted, the ids of the destinations in the file, without those of
// single recipients.
func (c *Config) Written() []string {
	return slices.DeleteFunc(sortedKeys(c.Destinations), func(id string) bool { return c.Destinations[id].Group != "" })
}

// checkDeliveries checks that an owner's messages fit one transaction.
func (f *named) checkDeliveries(ids []string) {
	if len(ids) > maxDeliveries {
		f.fail("destinations", fmt.Sprintf("come to %d messages for each decision; %d are allowed", len(ids), maxDeliveries),
			"use a mailing list, or a channel that many people read")
	}
}
