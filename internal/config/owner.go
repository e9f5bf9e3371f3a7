package config

import "fmt"

const (
	maxLabel = 64
	// maxDestinations keeps a decision and all its deliveries far below the 100 items
	// of one DynamoDB transaction.
	maxDestinations = 20
)

func (b *builder) owner(f *named) Owner {
	o := Owner{
		ID:         f.id,
		CostCenter: f.label("cost_center", f.requiredText("cost_center", "say who pays, such as cost_center: CC-1042"), maxLabel),
	}
	o.TimeZone = f.timeZone("time_zone")
	for _, e := range f.texts("destinations") {
		if d, ok := b.cfg.Destinations[e.text]; !ok || d.Group != "" {
			e.fail("there is no destination "+show(e.text), didYouMean(e.text, b.cfg.Written()))
		}
		b.used["destinations."+e.text] = true
		o.Destinations = append(o.Destinations, b.cfg.Recipients(e.text)...)
	}
	if n := f.node.find("destinations"); n == nil || len(n.items) == 0 {
		f.missing("destinations", "list at least one, such as [slack-payments]")
	}
	if n := f.node.find("destinations"); n != nil && len(n.items) > maxDestinations {
		f.fail("destinations", fmt.Sprintf("more than %d destinations", maxDestinations), "send to a channel that many people read")
	}
	f.checkDeliveries(o.Destinations)
	r := f.child("policy").policy(b.defaults, LayerOwner)
	b.owners[f.id] = r
	o.Policy = r.policy
	f.end()
	return o
}
