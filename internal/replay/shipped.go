package replay

import (
	"time"

	"github.com/ringonce/ringonce/internal/incident"
)

// Shipped returns the policies that are evaluated: the defaults, and the two
// directions in which people change them.
func Shipped() []Candidate {
	patient := incident.DefaultPolicy()
	patient.FailingRequired, patient.HealthyRequired = 3, 5
	patient.Cooldown, patient.CooldownGrowth, patient.CooldownMax = time.Hour, 2, 8*time.Hour

	damped := incident.DefaultPolicy()
	damped.FlapEpisodes, damped.FlapWindow, damped.FlapStableTicks = 4, time.Hour, 10

	return []Candidate{
		{Name: "default", Policy: incident.DefaultPolicy()},
		{Name: "patient", Policy: patient},
		{Name: "damped", Policy: damped},
	}
}
