package secrets

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"github.com/ringonce/ringonce/internal/secret"
)

// silent is a Parameter Store that never answers, as from a network without a way
// to it.
type silent struct{}

func (silent) GetParameters(ctx context.Context, _ *ssm.GetParametersInput, _ ...func(*ssm.Options)) (*ssm.GetParametersOutput, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// Lambda starts a function over that is not ready after ten seconds, and then again
// with each event, within the function's own timeout. Sweep reads ahead twice.
func TestAStartDoesNotWaitForSecretsThatDoNotCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refs []string
		for i := range 15 {
			refs = append(refs, fmt.Sprintf("ssm:/ringonce/%d", i))
		}
		r := secret.New(secret.Options{Parameters: silent{}, Now: time.Now})
		begun := time.Now()
		Load(r, refs, slog.New(slog.DiscardHandler))
		if took := time.Since(begun); took > 4*time.Second {
			t.Errorf("reading %d secrets ahead took %s", len(refs), took)
		}
		time.Sleep(time.Minute) // on the bubble's clock: what was begun ends by itself
	})
}
