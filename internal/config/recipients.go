package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/mail"
	"slices"
	"strings"
)

// recipientSeparator cannot be part of an id in the file, so that the two kinds
// of id never meet.
const recipientSeparator = "/"

// maxDeliveries bounds what one decision of an owner's sends: a decision and all
// its deliveries are one DynamoDB transaction, which takes 100 items.
const maxDeliveries = 40

// RecipientID is the destination that one recipient of a mail destination is.
// Each recipient is sent a message of its own, with its own place in the ledger,
// so that one bad address harms no other and nobody sees who else is told. The
// id holds no address, and is the same whoever else is on the list.
func RecipientID(destination, address string) string {
	if a, err := mail.ParseAddress(address); err == nil {
		address = a.Address
	}
	sum := sha256.Sum256([]byte(destination + "\n" + strings.ToLower(address)))
	return destination + recipientSeparator + hex.EncodeToString(sum[:4])
}

// addRecipients adds a destination for each recipient of a mail destination.
// The destination itself stays: who is told of the end of an incident was told
// of its beginning under an id that may be either.
func (b *builder) addRecipients(d Destination) {
	for _, to := range d.To {
		one := d
		one.ID, one.Group, one.To = RecipientID(d.ID, to), d.ID, []string{to}
		b.cfg.Destinations[one.ID] = one
	}
}

// Recipients returns the destinations that a destination of the file stands for: its
// recipients, if it has several, or itself.
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

// Written returns the ids of the destinations that the file has, sorted: all but
// those of single recipients.
func (c *Config) Written() []string {
	return slices.DeleteFunc(sortedKeys(c.Destinations), func(id string) bool { return c.Destinations[id].Group != "" })
}

// checkDeliveries holds what an owner's decisions send against what one
// transaction takes.
func (f *named) checkDeliveries(ids []string) {
	if len(ids) > maxDeliveries {
		f.fail("destinations", fmt.Sprintf("come to %d messages for each decision; %d are allowed", len(ids), maxDeliveries),
			"use a mailing list, or a channel that many people read")
	}
}
