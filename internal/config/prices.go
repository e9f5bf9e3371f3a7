package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Prices are the prices that the usage report multiplies its counts by.
type Prices struct {
	// Currency names the unit, as three letters of ISO 4217; empty when there
	// are no prices.
	Currency string
	// Channels are the prices by kind of channel. A channel that is not in it
	// costs nothing.
	Channels map[string]Price
}

// Price is what one channel costs.
type Price struct {
	// Attempted is charged for every attempt to send, Delivered for every
	// message that was accepted.
	Attempted Amount
	Delivered Amount
}

// Amount is an exact sum of money in billionths of the currency's unit, so that
// a report adds up to the last digit.
type Amount int64

const (
	amountUnit   = 1_000_000_000
	amountDigits = 9
	// maxAmount keeps the sum of 90 million messages within an Amount.
	maxAmount = 100 * amountUnit
)

var (
	amountForm   = lazily(`^[0-9]{1,3}(\.[0-9]{1,9})?$`)
	currencyForm = lazily(`^[A-Z]{3}$`)
	errAmount    = errors.New("want a decimal number from 0 to 100 with at most 9 digits after the point, such as 0.0001")
)

// ParseAmount reads a decimal number.
func ParseAmount(s string) (Amount, error) {
	if !amountForm().MatchString(s) {
		return 0, errAmount
	}
	whole, fraction, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", amountDigits-len(fraction)), 10, 64)
	if err != nil || n > maxAmount {
		return 0, errAmount
	}
	return Amount(n), nil
}

// String writes the amount in full, with at least two digits after the point.
func (a Amount) String() string {
	sign := ""
	if a < 0 {
		sign, a = "-", -a
	}
	fraction := strings.TrimRight(fmt.Sprintf("%09d", a%amountUnit), "0")
	for len(fraction) < 2 {
		fraction += "0"
	}
	return fmt.Sprintf("%s%d.%s", sign, a/amountUnit, fraction)
}

// Float returns the amount as a float64, for use where the last digit does not matter.
func (a Amount) Float() float64 { return float64(a) / amountUnit }

// prices reads the price table.
func (f *fields) prices() Prices {
	p := Prices{Currency: f.text("currency")}
	switch {
	case f.node == nil:
	case p.Currency == "":
		f.missing("currency", "name it by its three letters, such as currency: EUR")
	case !currencyForm().MatchString(p.Currency):
		f.fail("currency", show(p.Currency)+" is not a currency", "write its three letters, such as EUR")
	}
	p.Channels = f.child("channels").channelPrices()
	f.end()
	return p
}

func (f *fields) channelPrices() map[string]Price {
	if f.node == nil {
		return nil
	}
	all := make(map[string]Price, len(f.node.entries))
	for _, e := range f.node.entries {
		if !slices.Contains(channels, e.key) {
			f.r.fail(e.at, f.path, "there is no channel "+show(e.key), didYouMean(e.key, channels))
		}
		c := f.r.fields(e.value, join(f.path, e.key), e.at)
		all[e.key] = Price{Attempted: c.amount("attempted"), Delivered: c.amount("delivered")}
		c.end()
	}
	return all
}

func (f *fields) amount(name string) Amount {
	n := f.scalar(name)
	if n == nil {
		return 0
	}
	a, err := ParseAmount(n.text)
	if err != nil {
		f.fail(name, show(n.text)+" is not a price", errAmount.Error())
	}
	return a
}
