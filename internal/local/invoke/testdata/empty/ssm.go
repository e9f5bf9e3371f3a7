//go:build ssm

package main

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
)

func init() {
	makers = append(makers, func(cfg aws.Config) any { return ssm.NewFromConfig(cfg) })
}
