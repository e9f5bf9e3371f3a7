// Package streamevent reads the event that a DynamoDB stream hands to a Lambda
// function, and answers which of its records failed. One malformed record is an
// error of that record: its neighbours are read, and nothing panics. The accessors of aws-lambda-go's
// events.DynamoDBAttributeValue panic on a value of another type, which is why
// images are decoded here, from the raw JSON.
package streamevent
