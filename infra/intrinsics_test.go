//go:build mockaws

package infra_test

import (
	"fmt"
	"regexp"
	"strings"
)

// none is AWS::NoValue: whatever holds it is left out.
type none struct{}

func (c *cloud) resolve(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, argument := range v {
			if len(v) == 1 && (name == "Ref" || name == "Condition" || strings.HasPrefix(name, "Fn::")) {
				return c.call(strings.TrimPrefix(name, "Fn::"), argument)
			}
		}
		m := map[string]any{}
		for name, value := range v {
			if r := c.resolve(value); r != (none{}) {
				m[name] = r
			}
		}
		return m
	case []any:
		list := []any{}
		for _, value := range v {
			if r := c.resolve(value); r != (none{}) {
				list = append(list, r)
			}
		}
		return list
	}
	return v
}

func (c *cloud) call(name string, argument any) any {
	list, _ := argument.([]any)
	switch name {
	case "Ref":
		return c.ref(argument.(string))
	case "GetAtt":
		return fmt.Sprint(list[0]) + "." + fmt.Sprint(list[1])
	case "Sub":
		return substituted.ReplaceAllStringFunc(argument.(string), func(m string) string {
			return fmt.Sprint(c.ref(m[2 : len(m)-1]))
		})
	case "If":
		if c.holds(list[0].(string)) {
			return c.resolve(list[1])
		}
		return c.resolve(list[2])
	case "Join":
		return c.join(list)
	case "Equals":
		return fmt.Sprint(c.resolve(list[0])) == fmt.Sprint(c.resolve(list[1]))
	case "Not":
		return c.resolve(list[0]) != true
	}
	panic("the gate does not know the function " + name)
}

var substituted = regexp.MustCompile(`\$\{[A-Za-z0-9:.]+\}`)

func (c *cloud) ref(name string) any {
	if name == "AWS::NoValue" {
		return none{}
	}
	if value, ok := c.values[name]; ok {
		return value
	}
	return name
}

func (c *cloud) join(list []any) string {
	var texts []string
	for _, e := range c.resolve(list[1]).([]any) {
		texts = append(texts, fmt.Sprint(e))
	}
	return strings.Join(texts, list[0].(string))
}

func (c *cloud) holds(condition string) bool {
	definition, ok := c.conditions[condition]
	if !ok {
		panic("there is no condition " + condition)
	}
	return c.resolve(definition) == true
}
