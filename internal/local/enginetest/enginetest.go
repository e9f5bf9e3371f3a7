// Package enginetest gives tests the real tables on the local DynamoDB engine: one
// engine for a test binary, new tables for each test.
package enginetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/ringonce/ringonce/internal/dynamo"
	"github.com/ringonce/ringonce/internal/local/engine"
	"github.com/ringonce/ringonce/internal/local/template"
)

var running *engine.Engine

// Main is for TestMain: it starts the engine, runs the tests and stops it. If the
// engine is not installed, the tests fail with a message that says how to install it.
func Main(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) (status int) {
	if err := start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := running.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}()
	return m.Run()
}

func start() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	e, err := engine.Start(ctx, engine.Options{})
	if err == nil {
		running = e
	}
	return err
}

// Renew replaces the running engine by an empty one, because an engine slows down as
// its tables and streams grow. Nothing else may use it at that time.
func Renew(t testing.TB) {
	t.Helper()
	if err := running.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := start(); err != nil {
		t.Fatal(err)
	}
}

// Config returns what SDK clients need to reach the engine.
func Config() aws.Config { return running.Config() }

var stacks atomic.Int64

// Stack creates the tables of template.yaml under a stack name that no other test
// has, and returns their names.
func Stack(t testing.TB) dynamo.Tables {
	t.Helper()
	name := fmt.Sprintf("test%d", stacks.Add(1))
	tables, err := resolve(name)
	if err == nil {
		err = template.Create(t.Context(), dynamodb.NewFromConfig(Config()), tables)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dynamo.Tables{
		Observations: name + "-observations", Incidents: name + "-incidents",
		Outbox: name + "-outbox", Operations: name + "-operations",
	}
}

func resolve(stack string) ([]template.Table, error) {
	path, err := find("template.yaml")
	if err != nil {
		return nil, err
	}
	parsed, err := template.Load(path)
	if err != nil {
		return nil, err
	}
	s, err := parsed.Stack(stack, nil)
	if err != nil {
		return nil, err
	}
	return s.Tables()
}

// find looks for a file in the working directory, which is the package's, and above
// it.
func find(name string) (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "", fmt.Errorf("no %s in this directory or above it", name)
}
