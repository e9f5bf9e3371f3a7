// Package template reads the stack's own template.yaml, so that a person's machine
// runs what is deployed: the tables with their keys, indexes and streams, and the
// settings of everything else.
//
// It resolves the intrinsic functions that have a value outside AWS: Ref, Sub, GetAtt
// and Join over parameters, pseudo parameters and names that the template itself
// sets. Any other stays visible as a Reference or Unresolved.
package template
