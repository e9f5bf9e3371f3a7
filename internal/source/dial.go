package source

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

type dialer func(ctx context.Context, network, addr string) (net.Conn, error)

// targetKey carries, in a request's context, the host that it is meant for.
type targetKey struct{}

// errPrivate and errMetadata are why no connection was made.
var (
	errPrivate  = errors.New("the address is inside a private network")
	errMetadata = errors.New("the address is that of a metadata service")
)

// guardedDial connects to public addresses only, or to private ones as well.
// It looks at the address that a name was resolved to, just before connecting
// to it: a public name may lead anywhere, and elsewhere the next time.
//
// An address other than that of the request's own host is a proxy's, which the
// operator chose and which decides for itself whom it connects to.
func guardedDial(private bool) dialer {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		d := &net.Dialer{Timeout: 5 * time.Second}
		host, _, err := net.SplitHostPort(addr)
		target, _ := ctx.Value(targetKey{}).(string)
		if err == nil && meant(host, target) {
			d.Control = func(_, address string, _ syscall.RawConn) error {
				return permitted(host, address, private)
			}
		}
		return d.DialContext(ctx, network, addr)
	}
}

// meant tells whether a host that is connected to is the one that is asked, and
// not a proxy. One in other letters is connected to under its ASCII name, which
// only net/http knows (１69.254.169.254 is 169.254.169.254): then whoever is
// connected to is looked at.
func meant(host, target string) bool {
	ascii := strings.IndexFunc(target, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	return !ascii || strings.EqualFold(host, target)
}

// permitted tells whether a host may be reached at the address that its name
// gave. Loopback is for a host that says so itself.
func permitted(host, address string, private bool) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	ip := carried(at.Addr().Unmap().WithZone(""))
	switch {
	case metadata[ip]:
		return errMetadata
	case loopback(host) && ip.IsLoopback(), private, !internal(ip):
		return nil
	default:
		return errPrivate
	}
}

// metadata are the services that hand credentials to whoever asks from inside:
// those of EC2, ECS and EKS, Alibaba Cloud's, and Google Cloud's by IPv6. They monitor nothing.
var metadata = map[netip.Addr]bool{
	netip.MustParseAddr("169.254.169.254"): true,
	netip.MustParseAddr("fd00:ec2::254"):   true,
	netip.MustParseAddr("169.254.170.2"):   true,
	netip.MustParseAddr("169.254.170.23"):  true,
	netip.MustParseAddr("fd00:ec2::23"):    true,
	netip.MustParseAddr("100.100.100.200"): true,
	netip.MustParseAddr("fd20:ce::254"):    true,
}

// shared is the address space between carriers and customers (RFC 6598). nat64 and
// sixToFour map to IPv4 (RFC 6052, RFC 3056), private addresses included, and
// localNAT64 to whatever a network has it map to (RFC 8215).
var (
	shared     = netip.MustParsePrefix("100.64.0.0/10")
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	localNAT64 = netip.MustParsePrefix("64:ff9b:1::/48")
	sixToFour  = netip.MustParsePrefix("2002::/16")
)

// carried is the IPv4 address that one of IPv6 leads to; any other is itself.
func carried(ip netip.Addr) netip.Addr {
	b := ip.As16()
	switch {
	case nat64.Contains(ip):
		return netip.AddrFrom4([4]byte(b[12:]))
	case sixToFour.Contains(ip):
		return netip.AddrFrom4([4]byte(b[2:6]))
	default:
		return ip
	}
}

// internal tells an address that is not on the public internet.
func internal(ip netip.Addr) bool {
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() ||
		ip.IsMulticast() || shared.Contains(ip) || localNAT64.Contains(ip)
}
