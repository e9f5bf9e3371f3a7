package source_test

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringonce/ringonce/internal/config"
	"github.com/ringonce/ringonce/internal/source"
)

func TestRateLimitIsWaitedFor(t *testing.T) {
	in := func(d time.Duration) time.Time { return time.Now().Add(d) }
	for _, tt := range []struct {
		name     string
		code     int
		headers  []string
		low, top time.Duration
	}{
		{"Retry-After in seconds", 429, []string{"Retry-After", "7"}, 7 * time.Second, 7 * time.Second},
		{"Retry-After as a date", 429, []string{"Retry-After", in(20 * time.Second).UTC().Format(http.TimeFormat)}, 2 * time.Second, 20 * time.Second},
		{"503 with Retry-After", 503, []string{"Retry-After", "3"}, 3 * time.Second, 3 * time.Second},
		{"Sentry, epoch seconds", 429, []string{
			"X-Sentry-Rate-Limit-Remaining", "0", "X-Sentry-Rate-Limit-Reset", strconv.FormatInt(in(20*time.Second).Unix(), 10),
		}, 2 * time.Second, 20 * time.Second},
		{"Sentry, refused for concurrency", 429, []string{
			"X-Sentry-Rate-Limit-Remaining", "12", "X-Sentry-Rate-Limit-Reset", strconv.FormatInt(in(20*time.Second).Unix(), 10),
		}, 500 * time.Millisecond, 500 * time.Millisecond},
		{"Datadog, seconds from now", 429, []string{"X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "6"}, 6 * time.Second, 6 * time.Second},
		{"PagerDuty, seconds from now", 429, []string{"ratelimit-reset", "5"}, 5 * time.Second, 5 * time.Second},
		{"its own, seconds from now", 429, []string{"X-Wait", "4", "X-Left", "0"}, 4 * time.Second, 4 * time.Second},
		{"its own, epoch milliseconds", 429, []string{"X-Wait", strconv.FormatInt(in(20*time.Second).UnixMilli(), 10)}, 2 * time.Second, 20 * time.Second},
		{"its own, with some left", 429, []string{"X-Wait", "4", "X-Left", "3"}, 500 * time.Millisecond, 500 * time.Millisecond},
		{"no word of it", 429, nil, 500 * time.Millisecond, 500 * time.Millisecond},
		{"nonsense", 429, []string{"Retry-After", "soon", "X-Ratelimit-Reset", "NaN"}, 500 * time.Millisecond, 500 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := plain(answers(t, status(tt.code, tt.headers...), text(listOf("1"))).URL)
			if own, ok := presetParams[strings.ToLower(strings.Split(tt.name, ",")[0])]; ok {
				src.RateLimit = fromPreset(t, strings.ToLower(strings.Split(tt.name, ",")[0]), own, src.Request.URL).RateLimit
			} else if strings.HasPrefix(tt.name, "its own") {
				src.RateLimit = config.RateLimit{Reset: "X-Wait", Remaining: "X-Left"}
			}
			l, clock := pollFor(t, src, time.Minute)
			wantComplete(t, l, 1)
			if len(clock.slept) != 1 || clock.slept[0] < tt.low || clock.slept[0] > tt.top {
				t.Errorf("waited %v, want between %s and %s", clock.slept, tt.low, tt.top)
			}
			if l.Requests != 2 || l.Retries != 1 || l.Waited != clock.slept[0] {
				t.Errorf("requests %d, retries %d, waited %s", l.Requests, l.Retries, l.Waited)
			}
		})
	}
}

// A vendor that asks for a wait which is over asks for none: it is not asked again
// more often than one that says nothing, nor is it said to want a pause.
func TestAWaitThatIsOverAsksForNothing(t *testing.T) {
	for _, wait := range []string{"0", "-1", "Thu, 01 Jan 1970 00:00:00 GMT"} {
		for _, code := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			l, _ := pollFor(t, plain(answers(t, status(code, "Retry-After", wait)).URL), time.Minute)
			wantBroken(t, l, 0, "after 4 tries")
			if l.Requests != 4 || !l.NotBefore.IsZero() {
				t.Errorf("%d, Retry-After %q: %d requests, not before %v", code, wait, l.Requests, l.NotBefore)
			}
		}
	}
}

// A wait that fits, but not after the backoff, is not said to be too long.
func TestNoTimeForAShortWait(t *testing.T) {
	l, _ := pollFor(t, plain(answers(t, status(429, "Retry-After", "1")).URL), 12*time.Second)
	wantBroken(t, l, 0, "no time left for another try")
	if !l.NotBefore.IsZero() {
		t.Errorf("not before %v", l.NotBefore)
	}
}

// A wait that would leave no time to write what was read is not begun.
func TestRateLimitBeyondTheBudget(t *testing.T) {
	src := plain(answers(t, status(429, "Retry-After", "120")).URL)
	l, clock := pollFor(t, src, 30*time.Second)
	wantBroken(t, l, 0, "page 1", "429 Too Many Requests", "asks to wait 2m0s", "poll less often")
	if len(clock.slept) != 0 || l.Requests != 1 {
		t.Errorf("slept %v over %d requests", clock.slept, l.Requests)
	}
	if want := clock.Now().Add(2 * time.Minute); !l.NotBefore.Equal(want) {
		t.Errorf("not before %s, want %s", l.NotBefore, want)
	}
	src = plain(answers(t, status(429, "Retry-After", "99999999")).URL)
	l, clock = pollFor(t, src, 30*time.Second)
	if want := clock.Now().Add(24 * time.Hour); !l.NotBefore.Equal(want) {
		t.Errorf("a nonsense wait: not before %s, want %s", l.NotBefore, want)
	}
	if l = poll(t, plain(answers(t, status(429)).URL)); !l.NotBefore.IsZero() {
		t.Errorf("a vendor that named no time is left alone until %s", l.NotBefore)
	}
	src = plain(answers(t, status(429, "Retry-After", "10")).URL)
	if l, clock = pollFor(t, src, 30*time.Second); len(clock.slept) != 2 || l.Complete {
		t.Errorf("slept %v in 30 s with 1 s reserved, want twice 10 s", clock.slept)
	}
}

func TestReserveIsLeftToTheCaller(t *testing.T) {
	c := newClock()
	opts := options(c)
	opts.Reserve = 25 * time.Second
	ctx, cancel := context.WithDeadline(t.Context(), c.Now().Add(30*time.Second))
	defer cancel()
	l := source.New(opts).Fetch(ctx, plain(answers(t, status(429, "Retry-After", "6"), text("[]")).URL))
	wantBroken(t, l, 0, "longer than this poll has left (5s)")
}

// What an answer is made of is bounded by the same time as asking for it: the caller
// has to write, and to say that the source could not be read. Here the machine's
// clock is past that time, and the one that requests go by is not.
func TestReserveIsNotSpentOnMapping(t *testing.T) {
	c := newClock()
	ctx, cancel := context.WithDeadline(t.Context(), c.now.Add(time.Hour))
	defer cancel()
	c.now = c.now.Add(-2 * time.Hour)
	opts := options(c)
	opts.Reserve = 2 * time.Hour
	opts.Transport = &scripted{func(w http.ResponseWriter) { _, _ = w.Write([]byte(listOf("1", "2"))) }}
	l := source.New(opts).Fetch(ctx, plain("https://vendor.example/"))
	if l.Complete || len(l.Items) > 1 {
		t.Fatalf("complete %v with %d items after the time of the poll", l.Complete, len(l.Items))
	}
	wantWords(t, l, []string{"page 1", "was stopped"})
}

// case U1: an outage of the vendor is no statement about anything.
func TestOutages(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	cut := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	chunk := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("[]"))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	half := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "500")
		_, _ = w.Write([]byte(`[{"id":`))
	}
	for _, tt := range []struct {
		name     string
		answer   http.HandlerFunc
		requests int
		words    []string
	}{
		{"500", status(500), 4, []string{"500 Internal Server Error", "after 4 tries"}},
		{"502", status(502), 4, []string{"502 Bad Gateway"}},
		{"401", status(401), 1, []string{"401 Unauthorized", "credentials were refused"}},
		{"403", status(403), 1, []string{"403 Forbidden"}},
		{"404", status(404), 1, []string{"404 Not Found", "check request.url"}},
		{"400", status(400), 1, []string{"400 Bad Request", "request.query"}},
		{"204", status(204), 1, []string{"204 No Content"}},
		{"203", status(203), 1, []string{"203 Non-Authoritative"}},
		{"304", status(304), 1, []string{"304 Not Modified"}},
		{"503 as a web page", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>", http.StatusServiceUnavailable) }, 4, []string{"503", "next poll"}},
		{"cut off between chunks", chunk, 4, []string{"connection closed too early"}},
		{"206", status(206), 1, []string{"206 Partial Content"}},
		{"timeout", hang, 4, []string{"timeout"}},
		{"cut off", cut, 4, []string{"connection closed too early"}},
		{"cut off in the body", half, 4, []string{"connection closed too early"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := plain(answers(t, tt.answer).URL)
			src.Request.Timeout = 50 * time.Millisecond
			if tt.name != "timeout" {
				src.Request.Timeout = 10 * time.Second
			}
			l := poll(t, src)
			wantBroken(t, l, 0, append(tt.words, "page 1", "127.0.0.1")...)
			if l.Requests != tt.requests || l.Retries != tt.requests-1 {
				t.Errorf("%d requests, %d retries; want %d and %d", l.Requests, l.Retries, tt.requests, tt.requests-1)
			}
		})
	}
}

func TestBackoffGrows(t *testing.T) {
	_, clock := pollFor(t, plain(answers(t, status(500)).URL), time.Minute)
	if want := []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second}; !slices.Equal(clock.slept, want) {
		t.Errorf("slept %v, want %v", clock.slept, want)
	}
}

func TestTimeThatIsUsedUp(t *testing.T) {
	server := answers(t, text("[]"))
	l, _ := pollFor(t, plain(server.URL), time.Second)
	wantBroken(t, l, 0, "used up")
	if l.Requests != 0 {
		t.Errorf("%d requests with no time left", l.Requests)
	}
}

func TestStoppedPoll(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := answers(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	l := source.New(options(newClock())).Fetch(ctx, plain(server.URL))
	wantBroken(t, l, 0, "canceled")
	if l.Requests != 1 {
		t.Errorf("%d requests after the poll was stopped", l.Requests)
	}
}

// With nothing but defaults, a stopped poll does not sit out its wait.
func TestDefaultsStopWithThePoll(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := answers(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(429)
		cancel()
	})
	l := source.New(source.Options{}).Fetch(ctx, plain(server.URL))
	if l.Complete || l.Requests != 1 || l.Waited != 0 {
		t.Errorf("listing %+v", l)
	}
	wantComplete(t, source.New(source.Options{}).Fetch(t.Context(), plain(answers(t, status(503, "Retry-After", "0"), text(listOf("1"))).URL)), 1)
}

func TestBodyBounds(t *testing.T) {
	src := plain(answers(t, text(listOf("1", "2", "3"))).URL)
	src.Pagination.MaxBytes = 20
	wantBroken(t, poll(t, src), 0, "more than the 20 bytes", "pagination.max_bytes")
	src.Pagination.MaxBytes = int64(len(listOf("1", "2", "3")))
	wantComplete(t, poll(t, src), 3)
}

func TestAllPagesTogetherAreBounded(t *testing.T) {
	pad := strings.Repeat(" ", 30<<20)
	n := 0
	src := plain(answers(t, func(w http.ResponseWriter, r *http.Request) {
		n++
		withLink(`<{}/?p=`+strconv.Itoa(n)+`>; rel="next"`, listOf(strconv.Itoa(n))+pad)(w, r)
	}).URL)
	src.Pagination = config.Pagination{Type: "link", MaxBytes: 32 << 20}
	// The time is ample: it takes the race detector long to read so much.
	l, _ := pollFor(t, src, 10*time.Minute)
	wantBroken(t, l, 2, "page 3", "all pages together")
}
