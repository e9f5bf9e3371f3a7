package stack

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ringonce/ringonce/internal/local/mapping"
	"github.com/ringonce/ringonce/internal/local/schedule"
	"github.com/ringonce/ringonce/internal/local/template"
)

// mappingDefinition is one event source mapping: from the stream of a table,
// named by its logical id.
type mappingDefinition struct {
	table    string
	settings mapping.Settings
}

// addEvent adds a trigger of the function. An event of a kind that the local stack
// does not support is an error, since the function would never run here.
func (f *definition) addEvent(kind string, properties []byte) error {
	switch kind {
	case "DynamoDB":
		m, err := readMapping(properties)
		f.mappings = append(f.mappings, m)
		return err
	case "ScheduleV2":
		s, err := readSchedule(properties)
		f.schedules = append(f.schedules, s)
		return err
	case "EventBridgeRule":
		// Nobody publishes events on one machine; a caller passes them to Invoke.
		return nil
	default:
		return fmt.Errorf("the local stack has no events of type %s", kind)
	}
}

func readSchedule(properties []byte) (schedule.Schedule, error) {
	var p struct{ ScheduleExpression, Input string }
	if err := json.Unmarshal(properties, &p); err != nil {
		return schedule.Schedule{}, err
	}
	rate, err := schedule.ParseRate(p.ScheduleExpression)
	return schedule.Schedule{Rate: rate, Input: p.Input}, err
}

// mappingProperties are the properties of SAM's DynamoDB event that matter here.
type mappingProperties struct {
	Stream                     template.Reference
	BatchSize                  int
	ParallelizationFactor      int
	StartingPosition           string
	FunctionResponseTypes      []string
	BisectBatchOnFunctionError bool
	MaximumRetryAttempts       *int
	MaximumRecordAgeInSeconds  int
	FilterCriteria             struct{ Filters []struct{ Pattern string } }
}

// readMapping reads a mapping. Defaults are AWS's: no limit on retries and age.
func readMapping(properties []byte) (mappingDefinition, error) {
	var p mappingProperties
	if err := json.Unmarshal(properties, &p); err != nil {
		return mappingDefinition{}, err
	}
	if p.Stream.Attribute != "StreamArn" {
		return mappingDefinition{}, errors.New("the stream: want !GetAtt TABLE.StreamArn")
	}
	if p.StartingPosition != "TRIM_HORIZON" {
		return mappingDefinition{}, fmt.Errorf("starting position %q: the local stack has only TRIM_HORIZON", p.StartingPosition)
	}
	var patterns []string
	for _, f := range p.FilterCriteria.Filters {
		patterns = append(patterns, f.Pattern)
	}
	filter, err := mapping.ParseFilter(patterns...)
	retries := -1
	if p.MaximumRetryAttempts != nil {
		retries = *p.MaximumRetryAttempts
	}
	return mappingDefinition{table: p.Stream.Resource, settings: mapping.Settings{
		BatchSize:                  p.BatchSize,
		ParallelizationFactor:      p.ParallelizationFactor,
		Filter:                     filter,
		ReportBatchItemFailures:    slices.Contains(p.FunctionResponseTypes, "ReportBatchItemFailures"),
		BisectBatchOnFunctionError: p.BisectBatchOnFunctionError,
		MaximumRetryAttempts:       retries,
		MaximumRecordAge:           time.Duration(p.MaximumRecordAgeInSeconds) * time.Second,
	}}, err
}
