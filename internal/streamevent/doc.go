// Package streamevent decodes the event that a DynamoDB stream hands to a Lambda
// function, and reports which of its records failed. A malformed record is an error
// of that record alone: the others are read, and nothing panics. Images are decoded
// here, from the raw JSON, because the accessors of aws-lambda-go's
// events.DynamoDBAttributeValue panic on a value of another type.
package streamevent
