package stack

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/ringonce/ringonce/internal/local/schedule"
	"github.com/ringonce/ringonce/internal/local/template"
)

// definition is one function of the template.
type definition struct {
	// name is the end of the function's name, and its folder's name: poll.
	name      string
	fullName  string
	timeout   time.Duration
	env       []string
	mappings  []mappingDefinition
	schedules []schedule.Schedule
}

// functionProperties are the properties of AWS::Serverless::Function that matter
// here.
type functionProperties struct {
	FunctionName string
	Timeout      int
	// Variables may hold values that only AWS can resolve.
	Environment struct{ Variables map[string]any }
	Events      map[string]struct {
		Type       string
		Properties json.RawMessage
	}
}

// readFunctions returns the template's functions, in the order of the template.
func readFunctions(s *template.Stack, stackName string) ([]definition, error) {
	var all []definition
	for _, r := range s.Resources("AWS::Serverless::Function") {
		f, err := readFunction(r, stackName)
		if err != nil {
			return nil, fmt.Errorf("function %s of the template: %w", r.ID, err)
		}
		all = append(all, f)
	}
	return all, nil
}

func readFunction(r template.Resource, stackName string) (definition, error) {
	var p functionProperties
	if err := convert(r.Properties, &p); err != nil {
		return definition{}, err
	}
	name, ok := strings.CutPrefix(p.FunctionName, stackName+"-")
	if !ok {
		return definition{}, fmt.Errorf("its FunctionName is %q: want ${AWS::StackName}-FOLDER", p.FunctionName)
	}
	f := definition{name: name, fullName: p.FunctionName, timeout: time.Duration(p.Timeout) * time.Second}
	for variable, value := range p.Environment.Variables {
		switch v := value.(type) {
		case string:
			f.env = append(f.env, variable+"="+v)
		case map[string]any:
			// Only AWS can resolve it. Where it matters, the stack sets it.
		default:
			return definition{}, fmt.Errorf("variable %s is no text: %v", variable, value)
		}
	}
	for id, e := range p.Events {
		if err := f.addEvent(e.Type, e.Properties); err != nil {
			return definition{}, fmt.Errorf("event %s: %w", id, err)
		}
	}
	return f, nil
}

// convert fills a struct from properties. A value that only AWS can resolve does not
// fit a plain field, which is an error.
func convert(properties map[string]any, into any) error {
	content, err := json.Marshal(properties)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, into)
}
