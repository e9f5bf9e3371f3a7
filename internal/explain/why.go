package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ringonce/ringonce/internal/incident"
)

// maxEpisodesInWords is how many of the newest episodes the paragraph tells in full.
const maxEpisodesInWords = 3

// why answers in one paragraph why these notices came and no others.
func why(rep *Report, r *replay) string {
	var say []string
	if n := len(rep.Differences); n > 0 {
		say = append(say, fmt.Sprintf("BEWARE: in %s the log of decisions is not what the stored observations give; what follows is by the log.", count(n, "place")))
	}
	if r.expiredDecisions > 0 {
		say = append(say, unloggedWords(rep)...)
	}
	switch told := toldEpisodes(rep); {
	case len(told) > 0:
		say = append(say, episodesWords(rep, r, told)...)
	case r.nothingLogged():
		say = append(say, "No decision on it is stored any more, so why anybody was told, or nobody, is not known.")
	default:
		say = append(say, nobodyToldWords(rep)...)
	}
	return strings.Join(say, " ")
}

// toldEpisodes returns the episodes with a message.
func toldEpisodes(rep *Report) []Episode {
	var told []Episode
	for _, ep := range rep.Episodes {
		if ep.Opens+ep.Reminders+ep.Resolves > 0 || len(ep.entries(rep, incident.SilenceEnded)) > 0 {
			told = append(told, ep)
		}
	}
	return told
}

// episodesWords tells the newest episodes in full and counts the others' messages.
func episodesWords(rep *Report, r *replay, told []Episode) []string {
	var say []string
	if n := len(told) - maxEpisodesInWords; n > 0 {
		opens, reminders, resolves := 0, 0, 0
		for _, ep := range told[:n] {
			opens, reminders, resolves = opens+ep.Opens, reminders+ep.Reminders, resolves+ep.Resolves
		}
		say = append(say, fmt.Sprintf("The %d earlier episodes were told with %s, %s and %s.", n,
			count(opens, "open"), count(reminders, "reminder"), count(resolves, "resolve")))
		told = told[n:]
	}
	for _, ep := range told {
		say = append(say, ep.words(rep, r)...)
	}
	return say
}

// unloggedWords tells the messages of episodes whose decisions have expired.
func unloggedWords(rep *Report) []string {
	var episodes []Episode
	for _, d := range rep.Deliveries {
		ep := Episode{Number: d.Episode}
		if !slices.ContainsFunc(rep.Timeline, func(e Entry) bool { return e.What == Decision && e.Episode == ep.Number }) &&
			!slices.ContainsFunc(episodes, func(e Episode) bool { return e.Number == ep.Number }) {
			episodes = append(episodes, ep)
		}
	}
	var say []string
	for _, ep := range episodes[max(0, len(episodes)-maxEpisodesInWords):] {
		say = append(say, fmt.Sprintf("The decisions on episode %d have expired; its messages are stored.", ep.Number))
		say = append(say, ep.messageWords(rep)...)
	}
	return say
}

// nobodyToldWords says why nothing opened.
func nobodyToldWords(rep *Report) []string {
	if len(rep.Deliveries) > 0 && len(rep.Timeline) == 0 {
		return []string{"These messages are all that is left: what was seen and decided was removed, as a smoke test does after itself, or has expired."}
	}
	say := []string{"Nobody was told, because nothing opened here."}
	for _, ep := range rep.Episodes {
		before, after := ep.silentWords()
		say = append(say, slices.Concat(before, after)...)
	}
	return say
}
