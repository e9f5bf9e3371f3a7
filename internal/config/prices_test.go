package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAmounts(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0.00", "1": "1.00", "0.0001": "0.0001", "0.1": "0.10", "99.999999999": "99.999999999",
		"100": "100.00", "0.000000001": "0.000000001",
	} {
		a, err := ParseAmount(text)
		if err != nil || a.String() != want {
			t.Errorf("%q reads as %s (%v), want %s", text, a, err, want)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1e3", "100.1", "1000", "0.0000000001", "1,5", ".5", "1.", "0x1", "NaN"} {
		if a, err := ParseAmount(text); err == nil {
			t.Errorf("%q reads as %s, want a refusal", text, a)
		}
	}
	if got := Amount(-1_500_000_000).String(); got != "-1.50" {
		t.Errorf("a negative amount reads %s", got)
	}
}

func TestPricesAreRead(t *testing.T) {
	cfg, _ := load(t, "full.yaml")
	want := Prices{Currency: "EUR", Channels: map[string]Price{
		ChannelSES:          {Attempted: 100_000},
		ChannelSlackWebhook: {Delivered: 5_000_000, Attempted: 1_000_000_000},
	}}
	if diff := cmp.Diff(want, cfg.Prices); diff != "" {
		t.Errorf("prices (-want +got):\n%s", diff)
	}
}

func TestACurrencyIsNeededForPrices(t *testing.T) {
	minimal := string(mustRead(testdata + "good/minimal.yaml"))
	_, _, err := Parse("f.yaml", []byte(minimal+"\nprices: {channels: {ses: {delivered: 1}}}\n"), nil)
	if err == nil || !strings.Contains(err.Error(), "prices.currency: is missing; name it by its three letters") {
		t.Errorf("prices without a currency: %v", err)
	}
	if _, _, err := Parse("f.yaml", []byte(minimal+"\nprices:\n"), nil); err != nil {
		t.Errorf("an empty price table is refused: %v", err)
	}
}
