package infra_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The key outlives the stack, as the tables that it opens do, and lets those
// services use it that do so in their own name; the others use it in a role's.
func TestTheKeyLetsServicesUseIt(t *testing.T) {
	content, err := os.ReadFile("key.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Resources struct {
			Key struct {
				DeletionPolicy      string `yaml:"DeletionPolicy"`
				UpdateReplacePolicy string `yaml:"UpdateReplacePolicy"`
				Properties          struct {
					EnableKeyRotation bool `yaml:"EnableKeyRotation"`
					KeyPolicy         any  `yaml:"KeyPolicy"`
				} `yaml:"Properties"`
			} `yaml:"Key"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(content, &doc); err != nil {
		t.Fatal(err)
	}
	key := doc.Resources.Key
	if key.DeletionPolicy != "Retain" || key.UpdateReplacePolicy != "Retain" || !key.Properties.EnableKeyRotation {
		t.Errorf("the key is %q with its stack, %q when replaced, and rotates: %v", key.DeletionPolicy, key.UpdateReplacePolicy, key.Properties.EnableKeyRotation)
	}
	policy, err := yaml.Marshal(key.Properties.KeyPolicy)
	if err != nil {
		t.Fatal(err)
	}
	var services []string
	for _, m := range regexp.MustCompile(`(logs|cloudwatch|events|sns|sqs|dynamodb)\.`).FindAllStringSubmatch(string(policy), -1) {
		services = append(services, m[1])
	}
	slices.Sort(services)
	if want := []string{"cloudwatch", "events", "logs"}; !slices.Equal(services, want) {
		t.Errorf("the key lets %v use it, want %v", services, want)
	}
}
