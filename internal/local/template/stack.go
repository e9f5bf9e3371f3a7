package template

import (
	"fmt"
	"maps"
)

// Stack is a template with a name and values for its parameters.
type Stack struct {
	values    map[string]string
	lists     map[string]bool
	names     map[string]string
	resources []Resource
}

// Resource is one resource with its properties resolved as far as possible.
type Resource struct {
	// ID is the logical id, Type the CloudFormation type.
	ID, Type string
	// Properties holds maps, slices, strings, numbers, booleans, References and
	// Unresolved.
	Properties map[string]any
}

// Reference is a value of a resource that only AWS can resolve: its Ref if Attribute
// is empty, else that attribute, as in GetAtt.
type Reference struct{ Resource, Attribute string }

// Unresolved is any other intrinsic function that only AWS can resolve.
type Unresolved struct {
	// Function is its name without Fn::.
	Function string
	// Argument is resolved as far as possible.
	Argument any
}

// pseudo are the pseudo parameters and their values on a person's machine.
var pseudo = map[string]string{
	"AWS::Region": "local", "AWS::AccountId": "000000000000",
	"AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com",
}

// Stack gives the template a stack name and values for parameters, which may include
// pseudo parameters such as AWS::Region. The others have their defaults.
func (t *Template) Stack(name string, parameters map[string]string) (*Stack, error) {
	s := &Stack{values: maps.Clone(pseudo), names: make(map[string]string), lists: make(map[string]bool)}
	s.values["AWS::StackName"] = name
	if err := t.fill(s.values, parameters); err != nil {
		return nil, err
	}
	for name, p := range t.parameters {
		s.lists[name] = p.list()
	}
	for _, r := range t.resources {
		s.names[r.id] = ""
	}
	for _, r := range t.resources {
		if err := s.name(r); err != nil {
			return nil, err
		}
	}
	for _, r := range t.resources {
		resolved, err := s.resource(r)
		if err != nil {
			return nil, err
		}
		s.resources = append(s.resources, resolved)
	}
	return s, nil
}

func (t *Template) fill(values, parameters map[string]string) error {
	for name, value := range parameters {
		_, declared := t.parameters[name]
		if _, known := values[name]; !declared && !known {
			return fmt.Errorf("the template has no parameter %s", name)
		}
		values[name] = value
	}
	for name, p := range t.parameters {
		if _, given := values[name]; given {
			continue
		}
		if p.Default == nil {
			return fmt.Errorf("parameter %s has no default: give it a value", name)
		}
		values[name] = *p.Default
	}
	return nil
}

// nameProperties are the properties that hold the value of Ref.
var nameProperties = map[string]string{
	"AWS::DynamoDB::Table":      "TableName",
	"AWS::Serverless::Function": "FunctionName",
	"AWS::Lambda::Function":     "FunctionName",
	// In AWS Ref is the queue's URL, which ends with the name.
	"AWS::SQS::Queue": "QueueName",
}

// name records the value of Ref to the resource, if the template contains it.
func (s *Stack) name(r rawResource) error {
	for key, value := range pairs(r.properties) {
		if key.Value != nameProperties[r.kind] {
			continue
		}
		resolved, err := s.resolve(value)
		if err != nil {
			return fmt.Errorf("resource %s: %s: %w", r.id, key.Value, err)
		}
		if text, ok := resolved.(string); ok {
			s.names[r.id] = text
		}
	}
	return nil
}

func (s *Stack) resource(r rawResource) (Resource, error) {
	resolved := Resource{ID: r.id, Type: r.kind, Properties: map[string]any{}}
	if r.properties.IsZero() {
		return resolved, nil
	}
	value, err := s.resolve(r.properties)
	if err != nil {
		return resolved, fmt.Errorf("resource %s: %w", r.id, err)
	}
	properties, ok := value.(map[string]any)
	if !ok {
		return resolved, fmt.Errorf("line %d: resource %s: Properties: want a mapping", r.properties.Line, r.id)
	}
	resolved.Properties = properties
	return resolved, nil
}

// Resources returns the resources of a type, or of every type if it is empty, in the
// order of the file.
func (s *Stack) Resources(kind string) []Resource {
	var found []Resource
	for _, r := range s.resources {
		if kind == "" || r.Type == kind {
			found = append(found, r)
		}
	}
	return found
}

// Resource returns the resource with a logical id.
func (s *Stack) Resource(id string) (Resource, bool) {
	for _, r := range s.resources {
		if r.ID == id {
			return r, true
		}
	}
	return Resource{}, false
}
