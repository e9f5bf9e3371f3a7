package memory

import (
	"errors"
	"fmt"

	"github.com/ringonce/ringonce/internal/delivery"
)

// DynamoDB's limits ("Quotas in Amazon DynamoDB", Developer Guide): the bytes of a
// row and of its sort key, and the rows and bytes of a transaction. The Store refuses
// what DynamoDB refuses, so that no simulation does what AWS would not.
const (
	maxRow         = 400 << 10
	maxKey         = 1024
	maxRows        = 100
	maxTransaction = 4 << 20
)

// row is one row of a transaction: where it is stored, and its value. A changed row
// counts with its whole value.
type row struct {
	table, key, sort string
	holds            any
}

// address identifies a row.
type address struct{ table, key, sort string }

func deliveryRow(d delivery.Delivery) row {
	ref := d.Ref()
	return row{"outbox", ref.IncidentKey, ref.Slot, d}
}

func deliveryRows(all ...delivery.Delivery) []row {
	rows := make([]row, len(all))
	for i, d := range all {
		rows[i] = deliveryRow(d)
	}
	return rows
}

// usageRow represents the counters that a transaction adds to.
func usageRow(u delivery.Usage) row { return row{"operations", "usage", u.Day, u} }

// writable returns an error for rows that DynamoDB would not write in one
// transaction.
func writable(rows ...row) error {
	if len(rows) > maxRows {
		return fmt.Errorf("%d rows in one transaction, at most %d: configure fewer destinations for the owner", len(rows), maxRows)
	}
	total := 0
	var seen map[address]bool
	if len(rows) > 1 {
		seen = make(map[address]bool, len(rows))
	}
	for _, r := range rows {
		bytes, err := r.fits()
		if err != nil {
			return err
		}
		if at := (address{r.table, r.key, r.sort}); seen != nil {
			if seen[at] {
				return fmt.Errorf("row %s of %s is there twice in one transaction", r.sort, r.key)
			}
			seen[at] = true
		}
		total += bytes
	}
	if len(rows) > 1 && total > maxTransaction {
		return fmt.Errorf("%d bytes in one transaction, at most %d: configure fewer destinations for the owner, or shorter evidence", total, maxTransaction)
	}
	return nil
}

func (r row) fits() (bytes int, err error) {
	switch bytes = size(r.holds); {
	case r.key == "":
		return 0, errors.New("a row without a key")
	case len(r.key) > maxKey || len(r.sort) > maxKey:
		return 0, fmt.Errorf("a key of %d and %d bytes, at most %d", len(r.key), len(r.sort), maxKey)
	case bytes > maxRow:
		return 0, fmt.Errorf("row %s of %s is %d bytes, at most %d: shorten its summary or evidence", r.sort, r.key, bytes, maxRow)
	default:
		return bytes, nil
	}
}
