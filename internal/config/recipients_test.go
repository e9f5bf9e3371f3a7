package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// withMail is the minimal file with a mail destination of these recipients.
func withMail(t *testing.T, to ...string) (*Config, error) {
	t.Helper()
	file := string(mustRead(testdata + "good/minimal.yaml"))
	file = strings.Replace(file, "destinations:\n", "destinations:\n  mail: {channel: ses, from: alerts@example.com, to: ["+strings.Join(to, ", ")+"]}\n", 1)
	file = strings.Replace(file, "destinations: [slack]", "destinations: [slack, mail]", 1)
	cfg, _, err := Parse("minimal.yaml", []byte(file), testPresets())
	return cfg, err
}

// Each recipient is a destination of its own, whose id stays when others come
// and go, and shows no address.
func TestEachRecipientIsADestination(t *testing.T) {
	two, err := withMail(t, "a@example.com", "Lead <B@example.com>")
	if err != nil {
		t.Fatal(err)
	}
	ids := two.Owners["shop"].Destinations
	if len(ids) != 3 || ids[0] != "slack" || two.Destinations["mail"].Group != "" {
		t.Fatalf("told: %q", ids)
	}
	for i, to := range []string{"a@example.com", "Lead <B@example.com>"} {
		d := two.Destinations[ids[i+1]]
		if d.ID != ids[i+1] || d.Group != "mail" || !slices.Equal(d.To, []string{to}) || d.From != "alerts@example.com" || d.Channel != ChannelSES {
			t.Errorf("%s: %+v", ids[i+1], d)
		}
		if strings.Contains(d.ID, "example") || isID(d.ID) {
			t.Errorf("id %q", d.ID)
		}
	}
	if got := two.Written(); !slices.Equal(got, []string{"mail", "slack"}) {
		t.Errorf("the file has %q", got)
	}
	file := strings.Replace(string(mustRead(testdata+"good/full.yaml")), "slack-payments, mail-payments", RecipientID("mail-payments", "lead@example.com"), 1)
	if _, _, err := Parse("full.yaml", []byte(file), testPresets()); err == nil || !strings.Contains(err.Error(), "there is no destination") {
		t.Errorf("a recipient's id in the file: %v", err)
	}
	three, err := withMail(t, "c@example.com", "b@example.com", "a@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if got := three.Owners["shop"].Destinations; got[2] != ids[2] || got[3] != ids[1] || len(got) != 4 {
		t.Errorf("told %q before and %q after", ids, got)
	}
}

// One recipient goes by the destination's own name, and by the other as well:
// it may have been one of several when an incident opened.
func TestOneRecipientHasTwoNames(t *testing.T) {
	one, err := withMail(t, "a@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if got := one.Owners["shop"].Destinations; !slices.Equal(got, []string{"slack", "mail"}) {
		t.Errorf("told: %q", got)
	}
	if d, ok := one.Destinations[RecipientID("mail", "a@example.com")]; !ok || d.Group != "mail" {
		t.Errorf("under its other name: %+v", d)
	}
}

// One address is one recipient, however it is written: a decision that held two
// messages for it could never be committed, and nobody would hear of anything.
func TestOneAddressIsOneRecipient(t *testing.T) {
	for _, again := range []string{"A@example.com", "Lead <a@example.com>", `"\"Lead\" <a@Example.com>"`} {
		_, err := withMail(t, "a@example.com", "b@example.com", again)
		if err == nil || !strings.Contains(err.Error(), "to[2]") || !strings.Contains(err.Error(), "listed twice") {
			t.Errorf("%s: %v", again, err)
		}
		if err != nil && strings.Contains(strings.ToLower(err.Error()), "a@example") {
			t.Errorf("the address is in the error: %v", err)
		}
	}
}

func TestTooManyRecipients(t *testing.T) {
	many := make([]string, 31)
	for i := range many {
		many[i] = fmt.Sprintf("a%d@example.com", i)
	}
	if _, err := withMail(t, many...); err == nil || !strings.Contains(err.Error(), "more than 30 recipients") {
		t.Errorf("%v", err)
	}
	file := string(mustRead(testdata + "good/minimal.yaml"))
	file = strings.Replace(file, "destinations:\n", "destinations:\n  a: {channel: ses, from: x@example.com, to: ["+strings.Join(many[:21], ",")+"]}\n  b: {channel: ses, from: x@example.com, to: ["+strings.Join(many[:20], ",")+"]}\n", 1)
	file = strings.Replace(file, "destinations: [slack]", "destinations: [a, b, slack]", 1)
	_, _, err := Parse("minimal.yaml", []byte(file), testPresets())
	if err == nil || !strings.Contains(err.Error(), "come to 42 messages for each decision; 40 are allowed") || strings.Contains(err.Error(), "@") {
		t.Errorf("%v", err)
	}
}
