package invoke

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/local/stack"
)

// Measure starts every function, and an empty one with the same SDK clients, which is
// NAME/bootstrap in a folder, the given number of times in turn, and prints the
// medians. It returns an error if the median of one is more than limit times that of
// its empty one. The two start one after the other each time, so that other load on
// the machine slows both.
func Measure(ctx context.Context, o Options, empties string, all []Event, times int, limit float64) error {
	config, err := filepath.Abs(o.Config)
	if err != nil {
		return err
	}
	s, err := stack.Start(ctx, stack.Options{
		Template: o.Template, FunctionsDir: o.FunctionsDir, Engine: o.Engine,
		Env: append([]string{"RINGONCE_CONFIG=" + config}, o.Env...), PollEvery: time.Hour,
	})
	if err != nil {
		return err
	}
	defer s.Close()
	for range rounds {
		starts := map[string][]float64{}
		for range times {
			if err := o.pairs(ctx, s, starts, empties, all); err != nil {
				return err
			}
		}
		if all = o.compare(starts, all, limit); len(all) == 0 {
			return nil
		}
	}
	return fmt.Errorf("%d functions took more than %.1f times as long to start as an empty one, %d times in a row", len(all), limit, rounds)
}

// rounds is the most times that a function is measured: on a busy machine the medians
// of the same two functions vary widely from round to round.
const rounds = 3

// pairs starts each function once, after its empty one.
func (o Options) pairs(ctx context.Context, s *stack.Stack, starts map[string][]float64, empties string, all []Event) error {
	for _, e := range all {
		payload, err := os.ReadFile(e.Path)
		if err == nil {
			err = o.sample(ctx, s, starts, empty(e.Function), filepath.Join(empties, e.Function, "bootstrap"), []byte("{}"))
		}
		if err == nil {
			err = o.sample(ctx, s, starts, e.Function, filepath.Join(o.FunctionsDir, e.Function, "bootstrap"), payload)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// empty returns the name of the samples of a function's empty counterpart.
func empty(function string) string { return "empty of " + function }

func (o Options) sample(ctx context.Context, s *stack.Stack, starts map[string][]float64, name, bootstrap string, payload []byte) error {
	env, err := s.Environment(strings.TrimPrefix(name, empty("")))
	if err != nil {
		return err
	}
	if bootstrap, err = filepath.Abs(bootstrap); err != nil {
		return err
	}
	_, log, err := o.ask(ctx, bootstrap, env, payload)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, log)
	}
	ms, err := strconv.ParseFloat(initTime(log), 64)
	if err != nil {
		return fmt.Errorf("the emulator reports no start of %s:\n%s", bootstrap, log)
	}
	starts[name] = append(starts[name], ms)
	return nil
}

// compare prints how the functions' starts compare, and returns those over the limit.
func (o Options) compare(starts map[string][]float64, all []Event, limit float64) []Event {
	var slow []Event
	for _, e := range all {
		own, other := median(starts[e.Function]), median(starts[empty(e.Function)])
		ratio, word := own/other, ""
		if ratio > limit {
			slow, word = append(slow, e), "  too slow"
		}
		fmt.Fprintf(o.Out, "%-10s %6.1f ms, %.2f times the %.1f ms of an empty function with its clients%s\n", e.Function, own, ratio, other, word)
	}
	return slow
}

func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}
