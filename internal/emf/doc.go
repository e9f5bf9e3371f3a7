// Package emf counts what the functions do and writes it as CloudWatch metrics
// in the embedded metric format: JSON lines in the log, which CloudWatch Logs
// turns into metrics without a call. What is counted is what is logged: a
// Handler in front of the log reads its lines, so that the two cannot disagree.
//
// The format may repeat a line, so these metrics are for watching; what is
// charged comes from the usage counters in the Operations table.
//
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
package emf
