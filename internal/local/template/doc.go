// Package template reads the stack's own template.yaml, so that what runs on a
// person's machine is what is deployed: the tables with their keys, indexes and
// streams, and the settings of everything else.
//
// It resolves the intrinsic functions that have an answer without AWS: Ref, Sub,
// GetAtt and Join over parameters, pseudo parameters and names that the template
// itself gives. What has none stays visible as a Reference or Unresolved.
package template
