package trace

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// columns are the columns that a CSV trace may have, with the field that each sets.
var columns = map[string]func(l *line, value string) error{
	"tick":    func(l *line, v string) error { l.Tick = v; return nil },
	"key":     func(l *line, v string) error { l.Key = v; return nil },
	"verdict": func(l *line, v string) error { l.Verdict = v; return nil },
	"truth":   func(l *line, v string) error { l.Truth = v; return nil },
	"owner":   func(l *line, v string) error { l.Owner = v; return nil },
	"source":  func(l *line, v string) error { l.Source = v; return nil },
	"missing": func(l *line, v string) error { return parse(v, &l.Missing, strconv.ParseBool) },
	"unseen":  func(l *line, v string) error { return parse(v, &l.Unseen, strconv.ParseBool) },
	"status":  func(l *line, v string) error { l.Status = v; return nil },
	"kind":    func(l *line, v string) error { l.Kind = v; return nil },
	"stage":   func(l *line, v string) error { l.Stage = v; return nil },
	"group":   func(l *line, v string) error { l.Group = v; return nil },
	"said":    func(l *line, v string) error { l.Said = v; return nil },
	"by":      func(l *line, v string) error { l.By = v; return nil },
	"summary": func(l *line, v string) error { l.Summary = v; return nil },
	"repeat":  func(l *line, v string) error { return parse(v, &l.Repeat, strconv.Atoi) },
	"every":   func(l *line, v string) error { l.Every = v; return nil },
}

var required = []string{"tick", "key", "verdict"}

func parse[T any](text string, to *T, parser func(string) (T, error)) error {
	if text == "" {
		return nil
	}
	v, err := parser(text)
	*to = v
	return err
}

// CSV reads comma-separated values. The first line names the columns: tick, key and
// verdict, and any of the others that JSONL accepts, except parts. Errors call the
// trace by name.
func CSV(name string, r io.Reader) Rows {
	return func(yield func(Row, error) bool) {
		table := csv.NewReader(r)
		table.ReuseRecord = true
		table.Comment = '#'
		header, err := readHeader(table)
		if err != nil {
			yield(Row{}, fmt.Errorf("%s:1: %w", name, err))
			return
		}
		for {
			b, err := nextRecord(table, header)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Row{}, fmt.Errorf("%s:%d: %w", name, lineOf(table, err), err))
				return
			}
			if !b.yield(yield) {
				return
			}
		}
	}
}

func readHeader(table *csv.Reader) ([]string, error) {
	record, err := table.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the trace is empty: its first line must name the columns")
	}
	if err != nil {
		return nil, err
	}
	header := slices.Clone(record)
	for i, name := range header {
		header[i] = strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))
		if columns[header[i]] == nil {
			return nil, fmt.Errorf("column %q is not known: the first line names the columns, such as tick,key,verdict,truth,owner", header[i])
		}
		if slices.Contains(header[:i], header[i]) {
			return nil, fmt.Errorf("column %q is there twice", header[i])
		}
	}
	for _, name := range required {
		if !slices.Contains(header, name) {
			return nil, fmt.Errorf("column %q is missing: the first line must name tick, key and verdict", name)
		}
	}
	return header, nil
}

func nextRecord(table *csv.Reader, header []string) (block, error) {
	record, err := table.Read()
	if err != nil {
		return block{}, err
	}
	var l line
	for i, value := range record {
		if err := columns[header[i]](&l, strings.TrimSpace(value)); err != nil {
			return block{}, fmt.Errorf("%s %q: %w", header[i], value, err)
		}
	}
	return l.block()
}

// lineOf returns the line number of the invalid record.
func lineOf(table *csv.Reader, err error) int {
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		return bad.Line
	}
	n, _ := table.FieldPos(0)
	return n
}
