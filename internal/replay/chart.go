package replay

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The plot's size inside the chart, in user units.
const (
	plotWidth  = 380.0
	plotHeight = 220.0
)

// Chart is a scatter plot of the policies over two figures.
type Chart struct {
	Title          string
	XLabel, YLabel string
	XTicks, YTicks []axisTick
	Points         []Point
	Width, Height  float64
}

// Point is one position in a chart; policies that share it are drawn once.
type Point struct {
	X, Y     float64
	Unbeaten bool
	Base     bool
	// Label is drawn beside the point if there is room; Title is its tooltip.
	Label string
	Title string
}

// Charts returns the trade-offs that the traces allow to be drawn.
func (rep *Report) Charts() []Chart {
	if rep.KeysWithTruth == 0 {
		return []Chart{
			rep.chart("Late against noise, by the verdicts alone", told, streakDelay),
			rep.chart("Late resolves against noise, by the verdicts alone", told, calmDelay),
			rep.chart("Silence against noise", told, silence),
		}
	}
	return []Chart{
		rep.chart("Missed or late against noise", noise, missed),
		rep.chart("Time to open against noise", noise, openDelay),
		rep.chart("Time to resolve against resolving too early", wrong, resolveDelay),
		rep.chart("Silence against noise", noise, silence),
	}
}

func (rep *Report) chart(title string, x, y figure) Chart {
	c := Chart{Title: title, XLabel: x.label, YLabel: y.label, Width: plotWidth, Height: plotHeight}
	groups := rep.places(x, y)
	var topX, topY float64
	for _, g := range groups {
		topX, topY = math.Max(topX, g.x), math.Max(topY, g.y)
	}
	across, up := newAxis(topX, plotWidth, x.isTime), newAxis(topY, plotHeight, y.isTime)
	c.XTicks, c.YTicks = across.ticks, up.ticks
	for i := range c.YTicks {
		c.YTicks[i].At = plotHeight - c.YTicks[i].At
	}
	for _, g := range groups {
		c.Points = append(c.Points, g.point(across, up, x, y))
	}
	c.labelWhereThereIsRoom()
	return c
}

// place holds the policies with the same two figures.
type place struct {
	x, y     float64
	policies []Assessment
}

func (rep *Report) places(x, y figure) []*place {
	var out []*place
	at := make(map[[2]float64]*place)
	for _, a := range rep.Policies {
		vx, okx := x.of(a.tally)
		vy, oky := y.of(a.tally)
		if !okx || !oky {
			continue
		}
		g := at[[2]float64{vx, vy}]
		if g == nil {
			g = &place{x: vx, y: vy}
			at[[2]float64{vx, vy}] = g
			out = append(out, g)
		}
		g.policies = append(g.policies, a)
	}
	return out
}

func (g *place) point(across, up axis, x, y figure) Point {
	p := Point{X: across.at(g.x), Y: plotHeight - up.at(g.y)}
	var names []string
	for _, a := range g.policies {
		p.Unbeaten = p.Unbeaten || a.Unbeaten
		p.Base = p.Base || a.Number == 1
		if len(names) < 8 {
			names = append(names, fmt.Sprintf("%d %s", a.Number, a.Name))
		}
	}
	p.Label = strconv.Itoa(g.policies[0].Number)
	if n := len(g.policies); n > 1 {
		p.Label += fmt.Sprintf(" +%d", n-1)
	}
	if n := len(g.policies) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	p.Title = fmt.Sprintf("%s: %s; %s: %s\n%s", x.label, x.show(g.x), y.label, y.show(g.y), strings.Join(names, "\n"))
	return p
}

func (f figure) show(v float64) string { return Score{Time: f.isTime}.show(&v) }

// labelWhereThereIsRoom drops the labels of points that would overlap; the base's and
// those of unbeaten policies are placed first.
func (c *Chart) labelWhereThereIsRoom() {
	order := make([]int, len(c.Points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Points[b].rank(), c.Points[a].rank()) })
	var placed []Point
	for _, i := range order {
		p := &c.Points[i]
		crowded := slices.ContainsFunc(placed, func(q Point) bool {
			return math.Abs(p.X-q.X) < 8*float64(max(len(p.Label), len(q.Label))) && math.Abs(p.Y-q.Y) < 12
		})
		if crowded {
			p.Label = ""
			continue
		}
		placed = append(placed, *p)
	}
	// The last one drawn is on top.
	slices.SortStableFunc(c.Points, func(a, b Point) int { return cmp.Compare(a.rank(), b.rank()) })
}

func (p Point) rank() int {
	switch {
	case p.Base:
		return 2
	case p.Unbeaten:
		return 1
	default:
		return 0
	}
}
