package stack

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/ringonce/ringonce/internal/local/lambdaruntime"
	"github.com/ringonce/ringonce/internal/local/mapping"
)

// workers are what a restart replaces: the functions' processes and the mappings that
// invoke them.
type workers struct {
	functions map[string]*lambdaruntime.Function
	mappings  []*mapping.Mapping
	stop      context.CancelFunc
	running   sync.WaitGroup
}

// scheduledConcurrency lets a scheduled function run twice at once, as it does for an
// event that is delivered twice. It is the template's default for poll.
const scheduledConcurrency = 2

func (s *Stack) startWorkers() (*workers, error) {
	w := &workers{functions: map[string]*lambdaruntime.Function{}}
	failures := &mapping.FileFailures{Path: s.failuresPath()}
	for _, d := range s.functions {
		f := s.function(d)
		w.functions[d.name] = f
		for _, md := range d.mappings {
			m, err := s.mapping(d, md, f, failures)
			if err != nil {
				return nil, err
			}
			w.mappings = append(w.mappings, m)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	for _, m := range w.mappings {
		w.running.Go(func() { m.Run(ctx) })
	}
	return w, nil
}

func (s *Stack) function(d definition) *lambdaruntime.Function {
	concurrency := scheduledConcurrency
	for _, m := range d.mappings {
		concurrency = max(concurrency, m.settings.ParallelizationFactor)
	}
	env := append([]string{"AWS_ENDPOINT_URL_SQS=" + s.queueURL}, d.env...)
	if s.engine != nil {
		env = append(env, "AWS_REGION="+s.aws.Region, "AWS_ENDPOINT_URL_DYNAMODB="+s.engine.Endpoint)
	}
	return &lambdaruntime.Function{
		Name: d.fullName, Binary: filepath.Join(s.options.FunctionsDir, d.name, "bootstrap"),
		Env: slices.Concat(env, s.options.Env, s.pageEnv()), Timeout: d.timeout, Concurrency: concurrency, Output: s.options.Output,
	}
}

func (s *Stack) mapping(d definition, md mappingDefinition, f *lambdaruntime.Function, failures mapping.Failures) (*mapping.Mapping, error) {
	from, ok := s.tables[md.table]
	if !ok || from.stream == "" {
		return nil, fmt.Errorf("function %s is fed by the stream of %s, which is no table with a stream", d.name, md.table)
	}
	checkpoints, err := mapping.OpenCheckpoints(filepath.Join(s.options.StateDir, d.name+"-"+md.table+".json"), from.stream)
	if err != nil {
		return nil, err
	}
	return mapping.New(mapping.Config{
		StreamARN: from.stream, Stream: dynamodbstreams.NewFromConfig(s.aws),
		Function: f, FunctionARN: f.ARN(), Settings: md.settings,
		Checkpoints: checkpoints, Failures: failures,
		PollEvery: s.options.PollEvery, Backoff: s.options.Backoff, Problem: s.options.Problem,
	}), nil
}

// handled returns how many records the mappings have handled.
func (w *workers) handled() (n int64) {
	for _, m := range w.mappings {
		n += m.Handled()
	}
	return n
}

// kill kills the processes. The mappings are stopped first, so that none of them
// starts a new process meanwhile.
func (w *workers) kill() {
	w.stop()
	for _, f := range w.functions {
		f.Kill()
	}
	w.running.Wait()
	w.closeFunctions()
}

// close lets work in progress end.
func (w *workers) close() {
	w.stop()
	w.running.Wait()
	w.closeFunctions()
}

func (w *workers) closeFunctions() {
	var closing sync.WaitGroup
	for _, f := range w.functions {
		closing.Go(f.Close)
	}
	closing.Wait()
}

// Environment returns the variables of a function's processes, for a caller that runs
// the function itself.
func (s *Stack) Environment(function string) ([]string, error) {
	for _, d := range s.functions {
		if d.name == function {
			return s.function(d).Env, nil
		}
	}
	return nil, fmt.Errorf("the template has no function %s", function)
}
