// Package silence holds the rules that suppress messages for a while: which messages a
// silence matches, and when it is in force. Silences affect only who is notified, not the
// state of incidents.
package silence
