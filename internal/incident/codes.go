package incident

import "slices"

// CodeDoc documents one reason code.
type CodeDoc struct {
	Code Code
	// Actions are the actions that a decision with this reason can take.
	Actions []Action
	// Form is an example of the reason's text.
	Form string
	// Meaning explains the code in one line.
	Meaning string
}

// Codes returns every reason code, those for an action first.
func Codes() []CodeDoc { return slices.Clone(codes) }

var (
	opens     = []Action{Open}
	reminds   = []Action{Remind}
	resolves  = []Action{Resolve}
	noAction  = []Action{None}
	lapseActs = []Action{Resolve, None}
	speaks    = []Action{SilenceEnded}
	acks      = []Action{Ack}
	unacks    = []Action{Unack}
)

const at = "2026-01-02T12:30:00Z"

var codes = []CodeDoc{
	{FailingStreakReached, opens, "failing_streak 1/1", "Opens: enough failing ticks in a row."},
	{Reopened, opens, "reopened last_episode=3 last_resolved=" + at, "Opens: failing again within reopen_within of the last resolve."},
	{Flapping, opens, "flapping n=4 window=1h0m0s", "Opens: the n-th episode inside the window. The one notice until the key is stable."},
	{CooldownElapsed, reminds, "cooldown_elapsed reminder=2", "Reminds: still failing, and the cooldown since the last notice is over."},
	{Recovered, resolves, "recovered 2/2", "Resolves: enough healthy ticks in a row."},
	{NoLongerReported, resolves, "no_longer_reported 2/2", "Resolves: enough ticks without failure in a row, and a complete listing holds the key no more."},
	{NoLongerSeen, resolves, "no_longer_seen 2/2", "Resolves: enough ticks without failure in a row; the vendor still lists the key, but has not seen it fail within failing_within."},
	{Lapsed, lapseActs, "lapsed last=" + at, "Resolves as no longer reported: no evidence for stale_after, though its sources answered throughout."},
	{SilenceOver, speaks, "silence_ended silence=NAME", "Tells destinations from which that silence kept a notice of the episode, which goes on."},
	{AckGiven, acks, "ack by=NAME", "A person has taken the incident on: no reminders until it is over. Tells nobody."},
	{AckTaken, unacks, "unack by=NAME", "A person has taken that back. Tells nobody."},
	{BelowThreshold, noAction, "below_threshold 1/3", "Failing, but not for enough ticks in a row to open."},
	{CooldownActive, noAction, "cooldown_active next=" + at, "Open and failing, and told recently enough; next is when a reminder is due."},
	{RemindersOff, noAction, "reminders_off", "Open and failing, and the policy has no reminders."},
	{MaxReminders, noAction, "max_reminders 3/3", "Open and failing, and the episode has sent all its reminders."},
	{Acknowledged, noAction, "acknowledged by=NAME", "Open and failing, and that person has taken it on."},
	{FlapDamped, noAction, "flap_damped 2/10", "Flapping: silent until that many failing or healthy ticks in a row."},
	{HealthyStreak, noAction, "healthy_streak 1/2", "Open and healthy, but not for enough ticks in a row to resolve."},
	{NothingOpen, noAction, "nothing_open", "Healthy, and nothing was open."},
	{UnknownObservation, noAction, "unknown_observation", "No evidence, so nothing moved."},
	{StaleObservation, noAction, "stale_observation last=" + at, "A repeated or older tick of the same source; last is the newest one known."},
	{TickCounted, noAction, "tick_counted last=" + at, "Another source has moved the streak at this tick or later."},
	{OtherSourceFailing, noAction, "other_source_failing source=NAME", "Healthy here, but that source's last word is still failing."},
	{EvidenceRecent, noAction, "evidence_recent next=" + at, "Silence, but not for long enough to lapse; next is when it will be."},
	{SourceNotAnswering, noAction, "source_not_answering source=NAME", "Silence, but that source does not answer, so its silence means nothing."},
	{LapseOff, noAction, "lapse_off", "The policy lets nothing lapse: stale_after is off."},
}
