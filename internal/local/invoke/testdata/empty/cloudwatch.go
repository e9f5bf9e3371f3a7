//go:build cloudwatch

package main

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
)

func init() {
	makers = append(makers, func(cfg aws.Config) any { return cloudwatch.NewFromConfig(cfg) })
}
