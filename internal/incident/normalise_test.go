package incident

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Case S3: what identifies one request is normalised away.
func TestNormalise(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"user jane.doe+x@mail.example.com not found", "user {email} not found"},
		{"job 7f9c24e5-2f3a-4d1b-9c3e-0a1b2c3d4e5f failed", "job {uuid} failed"},
		{"JOB 7F9C24E5-2F3A-4D1B-9C3E-0A1B2C3D4E5F", "JOB {uuid}"},
		{"at 2026-01-02T03:04:05.678Z and 2026-01-02 03:04:05,678+01:00", "at {time} and {time}"},
		{"on 2026-01-02", "on {time}"},
		{"on Fri, 02 Jan 2026 15:04:05 GMT", "on {time} GMT"},
		{"since Jan 2, 2026 and 2 January", "since {time} and {time}"},
		{"market 5 and Sat 3", "market {n} and Sat {n}"},
		{"at 23:59:59.123", "at {time}"},
		{"connect 10.0.12.7:5432: refused", "connect {ip}: refused"},
		{"connect [2001:db8::ff00:42]:443", "connect [{ip}]:{n}"},
		{"panic at 0xc000123abc", "panic at {hex}"},
		{"commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "commit {n}"},
		{"GET /users/123456/orders/9f8e7d6c5b took 1711.36ms", "GET /users/{n}/orders/{n} took {n}ms"},
		{"request 01HZX3V8Q4T9W2K7M5N6P0R1S2 failed", "request {id} failed"},
		{"a hash without letters: 12345678, 1a2b3c4d", "a hash without letters: {n}, {n}"},
		{"object 4kQxJ7ZrTbVnWmHpLsDfGa in OrderServiceV2Controller", "object {id} in OrderServiceV2Controller"},
		{"order12345 of 1,234.50 EUR", "order{n} of {n} EUR"},
		{"pod checkout-5d4f8c7b9k-zq9lm crashed", "pod checkout-{id} crashed"},
		{"pod api-7d9f8b6c5-xqzvz in eu-central-1", "pod api-{id} in eu-central-{n}"},
		{"a cross-strength-build-grade and 2026-22222222-22222", "a cross-strength-build-grade and {n}-{n}-{n}"},
		{"request req_8fGk2LmPqR of cus_NffrFeUfNV2Hib failed", "request req_{id} of cus_{id} failed"},
		{"evt_1NG8Du2eZvKYlo2CUI79vXWy, ch_3MmlLrLkdIwHu7ix0snN0B15, ch_a1b2c3d4e5f6", "evt_{id}, ch_{id}, ch_{id}"},
		{"sk_test_4eC39HqLyjWDarjtT1zdp7dc", "sk_test_{id}"},
		{"pi_kj3h4g5k and txn_01HZX3V8Q4", "pi_{id} and txn_{id}"},
		{"job_nightly2 evt_payment order_OrderV2Service user_firstName http_requests_total job_backup2024", "job_nightly2 evt_payment order_OrderV2Service user_firstName http_requests_total job_backup2024"},
		{"commit 9fceb02 and a1b2c3d, release ab12cd3ef", "commit {n} and {n}, release {n}"},
		{"decade1 facade2 a1b2c3 A1001", "decade1 facade2 a1b2c3 A1001"},
		{"طلب ١٢٣٤٥ فشل في ٣ms", "طلب {n} فشل في {n}ms"},
		{"注文１２３４５６ ２０２６-０１-０２", "注文{n} {time}"},
		{"𝟜𝟚 items, s٣", "{n} items, s3"},
		{"s3 http2 server5 node-a v2 stay", "s3 http2 server5 node-a v2 stay"},
		{"  white \t\n space  ", "white space"},
		{"bad \xff utf8", "bad utf8"},
		{"", ""},
	} {
		if got := Normalise(c.in); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestNormaliseTwiceIsOnce(t *testing.T) {
	word := rapid.SampledFrom([]string{
		"a", "12", "3.4", "1,2", "@", ".", "x.y", ":", "0x", "-", "{", "}", "{n}", "/", " ", "deadbeef", "2026-01-02",
		"T03:04", "jan", "5", "ms", "::", "é", "e\u0301", "٣", "１", "\xff", "req_", "_test_", "8fGk2LmPqR", "_", "9fceb02", "a1", "Zz", "00000000-0000-0000-0000-000000000000", "127.0.0.1",
		"-5d4f8c7b9k", "-zq9lm", "-22222222", "-xxxxx",
	})
	rapid.Check(t, func(t *rapid.T) {
		checkNormalise(t, strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "words"), ""))
	})
}

func FuzzNormalise(f *testing.F) {
	for _, seed := range []string{"a@b.c1", "1:2:3:4", "12:34:56", "0x1.2", "1.2.3.4.5", "2 jan 3", "req_8fGk2LmPqR", "ab_a1b2c3d4_x", "sk_test_1a2B3c4D5e", "٣:١٢:٣٤", "{n}{n}", "a12345.6"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkNormalise(t, text) })
}

// TestNormaliseIsStableWherePlaceholdersMeet covers a case that random text rarely finds.
func TestNormaliseIsStableWherePlaceholdersMeet(t *testing.T) {
	for _, text := range []string{"a::a121212", "1:2:3:4a12345", "x@y.1234567", "12:34a99999"} {
		checkNormalise(t, text)
	}
}

func checkNormalise(t interface{ Fatalf(string, ...any) }, text string) {
	once := Normalise(text)
	if twice := Normalise(once); twice != once {
		t.Fatalf("%q: once %q, twice %q", text, once, twice)
	}
	if !utf8.ValidString(once) || strings.TrimSpace(once) != once {
		t.Fatalf("%q: %q is not clean text", text, once)
	}
}

// asciiDigits relies on the layout of Unicode's digits.
func TestDigitsOfEveryScript(t *testing.T) {
	for lo, hi := range func(yield func(lo, hi rune) bool) {
		for _, r := range unicode.Digit.R16 {
			yield(rune(r.Lo), rune(r.Hi))
		}
		for _, r := range unicode.Digit.R32 {
			yield(rune(r.Lo), rune(r.Hi))
		}
	} {
		if (hi-lo+1)%10 != 0 {
			t.Errorf("the digits from %U to %U are no whole sets", lo, hi)
		}
		for r := lo; r <= hi; r++ {
			if got, want := asciiDigits(string(r)), string('0'+(r-lo)%10); got != want {
				t.Errorf("%U is %q, want %q", r, got, want)
			}
		}
	}
	if got := Normalise("٤٢ failures"); got != Normalise("42 failures") {
		t.Errorf("got %q", got)
	}
}
