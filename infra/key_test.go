package infra_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
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

// The roles use the key by way of three services and never themselves. What AWS
// says DynamoDB needs of it is there, so that no table stays shut.
func TestRolesUseTheKeyByWayOfServices(t *testing.T) {
	policy, ok := described(t).Resource("KeyPolicy")
	if !ok {
		t.Fatal("there is no KeyPolicy")
	}
	got := map[string]string{}
	for _, s := range statementsOf(t, policy) {
		service, _, _ := strings.Cut(fmt.Sprint(at(s, "Condition", "StringEquals", "kms:ViaService")), ".")
		got[service] = fmt.Sprint(s["Action"])
	}
	want := map[string]string{
		"dynamodb": "[kms:Decrypt kms:DescribeKey kms:Encrypt kms:GenerateDataKey kms:GenerateDataKeyWithoutPlaintext kms:ReEncryptFrom kms:ReEncryptTo]",
		"ssm":      "[kms:Decrypt]",
		"sqs":      "[kms:Decrypt kms:GenerateDataKey]",
	}
	if !maps.Equal(got, want) {
		t.Errorf("the roles may use the key so:\n got %v\nwant %v", got, want)
	}
}
