package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Filter selects records by the kind of change. The zero Filter passes every record.
type Filter struct {
	eventNames []string
}

// ParseFilter parses the patterns of a FilterCriteria; a record passes if one of them
// matches. Only {"eventName": [...]} is supported: any other pattern is an error,
// because ignoring it would invoke the function with records that it never gets in
// AWS.
func ParseFilter(patterns ...string) (Filter, error) {
	var f Filter
	for _, pattern := range patterns {
		names, err := parsePattern(pattern)
		if err != nil {
			return Filter{}, fmt.Errorf("filter pattern %s: the local mapping understands only {\"eventName\": [\"INSERT\", …]}: %w", pattern, err)
		}
		f.eventNames = append(f.eventNames, names...)
	}
	return f, nil
}

func parsePattern(pattern string) ([]string, error) {
	var p struct {
		EventName []string `json:"eventName"`
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(pattern)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&p); err != nil {
		return nil, err
	}
	if len(p.EventName) == 0 {
		return nil, errors.New("it names no event")
	}
	for _, name := range p.EventName {
		if !slices.Contains([]string{"INSERT", "MODIFY", "REMOVE"}, name) {
			return nil, fmt.Errorf("%q is no event name", name)
		}
	}
	return p.EventName, nil
}

// Pass reports whether a record with this event name reaches the function.
func (f Filter) Pass(eventName string) bool {
	return len(f.eventNames) == 0 || slices.Contains(f.eventNames, eventName)
}
