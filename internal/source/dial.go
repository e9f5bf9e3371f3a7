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

// targetKey is the context key of the host that a request is for.
type targetKey struct{}

// errPrivate and errMetadata are the reasons for refusing a connection.
var (
	errPrivate  = errors.New("the address is inside a private network")
	errMetadata = errors.New("the address is that of a metadata service")
)

// guardedDial returns a dialer to public addresses only or, if private, to private
// ones as well. It checks the resolved address just before connecting to it, because
// a public name may resolve to any address, and to another one the next time.
//
// An address other than that of the request's own host is that of a proxy, which the
// operator chose and which itself decides where it connects to.
func guardedDial(private bool) dialer {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		d := &net.Dialer{Timeout: 5 * time.Second}
		host, _, err := net.SplitHostPort(addr)
		target, _ := ctx.Value(targetKey{}).(string)
		if err == nil && isTarget(host, target) {
			d.Control = func(_, address string, _ syscall.RawConn) error {
				return checkAddress(host, address, private)
			}
		}
		return d.DialContext(ctx, network, addr)
	}
}

// isTarget reports whether a host that is dialled is the request's own, and not a
// proxy. A host with non-ASCII characters is dialled under its ASCII name, which only
// net/http knows (１69.254.169.254 is 169.254.169.254); then any host that is dialled
// is checked.
func isTarget(host, target string) bool {
	ascii := strings.IndexFunc(target, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	return !ascii || strings.EqualFold(host, target)
}

// checkAddress returns an error unless a host may be reached at its resolved address.
// Loopback is allowed only to a host that is itself written as loopback.
func checkAddress(host, address string, private bool) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	ip := embeddedIPv4(at.Addr().Unmap().WithZone(""))
	switch {
	case metadata[ip]:
		return errMetadata
	case loopback(host) && ip.IsLoopback(), private, !internal(ip):
		return nil
	default:
		return errPrivate
	}
}

// metadata are the services that give credentials to any client inside their network:
// those of EC2, ECS and EKS, of Alibaba Cloud, and Google Cloud's over IPv6. No
// source has a reason to ask them.
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
// sixToFour embed IPv4 addresses (RFC 6052, RFC 3056), private ones included;
// localNAT64 maps to whatever the local network chooses (RFC 8215).
var (
	shared     = netip.MustParsePrefix("100.64.0.0/10")
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	localNAT64 = netip.MustParsePrefix("64:ff9b:1::/48")
	sixToFour  = netip.MustParsePrefix("2002::/16")
)

// embeddedIPv4 returns the IPv4 address that an IPv6 address leads to, or the address
// itself.
func embeddedIPv4(ip netip.Addr) netip.Addr {
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

// internal reports whether an address is not on the public internet.
func internal(ip netip.Addr) bool {
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() ||
		ip.IsMulticast() || shared.Contains(ip) || localNAT64.Contains(ip)
}
