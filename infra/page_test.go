package infra_test

import (
	"os"
	"strings"
	"testing"

	"github.com/ringonce/ringonce/internal/local/template"
)

// One function has a public address. It reads and never writes, and knows one
// secret and no other.
func TestOnlyThePageFunctionIsPublic(t *testing.T) {
	for _, f := range functions(t) {
		public := at(f.Properties, "FunctionUrlConfig", "AuthType") == "NONE"
		if public != (f.folder == "page") || (!public && f.Properties["FunctionUrlConfig"] != nil) {
			t.Errorf("%s has the address %v", f.ID, f.Properties["FunctionUrlConfig"])
		}
	}
	role, ok := described(t).Resource("PageRole")
	if !ok {
		t.Fatal("there is no PageRole")
	}
	secrets := 0
	for _, s := range statements(t, role) {
		actions, _ := s["Action"].([]any)
		for _, a := range actions {
			action, _ := a.(string)
			_, verb, _ := strings.Cut(action, ":")
			if at(s, "Sid") != "WriteOwnLog" && !strings.HasPrefix(verb, "Get") && !strings.HasPrefix(verb, "Query") && !strings.HasPrefix(verb, "BatchGet") {
				t.Errorf("the public function may %s", action)
			}
			if action == "ssm:GetParameters" {
				secrets++
				if resource, _ := s["Resource"].(string); !strings.HasSuffix(resource, ":parameter/the/page") {
					t.Errorf("the public function reads %v", s["Resource"])
				}
			}
		}
	}
	if secrets != 1 {
		t.Errorf("the public function reads %d secrets", secrets)
	}
}

func templateText(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(templatePath)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// statements are what a role allows where there are pages.
func statements(t *testing.T, role template.Resource) []map[string]any {
	t.Helper()
	parsed, err := template.Load(templatePath)
	if err != nil {
		t.Fatal(err)
	}
	s, err := parsed.Stack("ringonce", map[string]string{"PageSecret": "/the/page"})
	if err != nil {
		t.Fatal(err)
	}
	role, _ = s.Resource(role.ID)
	var all []map[string]any
	policies, _ := role.Properties["Policies"].([]any)
	for _, p := range policies {
		list, _ := at(p, "PolicyDocument", "Statement").([]any)
		for _, one := range list {
			if m, ok := one.(map[string]any); ok {
				all = append(all, m)
			}
		}
	}
	return all
}

// Nothing of the pages is there unless they are asked for: the parameter that
// does so is empty.
func TestPagesAreOffUnlessAskedFor(t *testing.T) {
	text := templateText(t)
	for _, id := range []string{"PageFunction", "PageRole", "PageLogGroup", "PageErrorsAlarm", "PageThrottlesAlarm"} {
		_, after, ok := strings.Cut(text, "\n  "+id+":\n")
		if !ok || !strings.HasPrefix(strings.SplitN(after, "\n", 3)[1], "    Condition: ServesPages") {
			t.Errorf("%s is there whether there are pages or not", id)
		}
	}
	_, after, _ := strings.Cut(text, "\n  PageSecret:\n")
	if parameter, _, _ := strings.Cut(after, "AllowedPattern"); !strings.Contains(parameter, "Default: ''") {
		t.Error("pages are on by default")
	}
}
