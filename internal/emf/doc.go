// Package emf counts what the functions do and writes it as CloudWatch metrics in the
// embedded metric format: JSON lines in the log, which CloudWatch Logs turns into
// metrics without an API call. A Handler in front of the log counts from its lines,
// so log and metrics cannot disagree.
//
// The format may repeat a line, so these metrics are for watching; what is
// charged comes from the usage counters in the Operations table.
//
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
package emf
