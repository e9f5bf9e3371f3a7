package config

import (
	"net/url"
)

// address returns an https address, or a reference to one that is a secret or differs
// from machine to machine. Messages do not repeat it: it may hold a token.
func (f *fields) address(name string) string {
	v := f.text(name)
	u, err := url.Parse(v)
	switch {
	case v == "" || IsReference(v):
	case startsLikeReference(v) || err != nil || u.Host == "":
		f.fail(name, "is neither an address nor a reference to one", "write https://host/path, or where the address is ("+secretForms+")")
	case u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())):
		f.fail(name, "is not an https address", "write https://…; what is sent there is not for everybody")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || holdsToken(v):
		f.fail(name, "holds a query, a fragment, a user name or something like a secret", "write a reference to the address in its place ("+secretForms+")")
	}
	return v
}

// channelID requires an id: Slack accepts names too, but not everywhere.
func (f *fields) channelID() string {
	v := f.text("channel_id")
	if v != "" && !slackID().MatchString(v) {
		f.fail("channel_id", "is not the id of a Slack channel", "write the id at the end of the channel's details, such as C024BE91L")
	}
	return v
}

var slackID = lazily(`^[CGD][A-Z0-9]{6,20}$`)
