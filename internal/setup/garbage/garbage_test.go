package garbage

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
)

// TestMain is also the program that the test looks at: it prints the collector's
// percentage at its start and, where the package has set it, after a collection.
func TestMain(m *testing.M) {
	if os.Getenv("PRINT_PERCENTAGES") == "" {
		os.Exit(m.Run())
	}
	fmt.Print(percentage())
	if percentage() == first {
		for percentage() == first {
			runtime.GC()
		}
		fmt.Print(" then ", percentage())
	}
}

func percentage() uint64 {
	samples := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64()
}

func TestTheFirstCollectionOfAFunctionAloneIsPutOff(t *testing.T) {
	for environment, want := range map[string]string{
		"AWS_LAMBDA_RUNTIME_API=127.0.0.1:9":         "400 then 100",
		"AWS_LAMBDA_RUNTIME_API=127.0.0.1:9 GOGC=50": "50",
		"AWS_LAMBDA_RUNTIME_API=":                    "100",
		"GOGC=50":                                    "50",
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(strings.Fields(environment), "PRINT_PERCENTAGES=1")
		if got, err := cmd.Output(); err != nil || string(got) != want {
			t.Errorf("with %s: %s (%v), want %s", environment, got, err, want)
		}
	}
}
