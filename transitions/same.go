package transitions

import (
	"slices"

	"panehook/state"
)

// samePane tells whether two panes are equal in all that is worth a write; the
// stamps of the latest event are not.
func samePane(a, b *state.PaneState) bool {
	return a.Role == b.Role &&
		a.Agent == b.Agent &&
		a.State == b.State &&
		a.Activity == b.Activity &&
		a.Tool == b.Tool &&
		a.WorkingSince.Equal(b.WorkingSince) &&
		slices.Equal(a.Recent, b.Recent) &&
		a.SessionFile == b.SessionFile &&
		a.PiSessionID == b.PiSessionID &&
		sameMemory(&a.Memory, &b.Memory)
}

func sameMemory(a, b *state.PaneMemory) bool {
	return a.Since.Equal(b.Since) &&
		a.Rest == b.Rest &&
		a.Text == b.Text &&
		a.Owner == b.Owner &&
		a.Turn.ID == b.Turn.ID && a.Turn.Open == b.Turn.Open && a.Turn.Start.Equal(b.Turn.Start) &&
		slices.Equal(a.Ended, b.Ended) &&
		slices.Equal(a.Calls, b.Calls) &&
		slices.Equal(a.Prompts, b.Prompts) &&
		slices.Equal(a.Children, b.Children) &&
		a.Compacting == b.Compacting &&
		a.Asks == b.Asks &&
		a.Outcome == b.Outcome &&
		a.Retries == b.Retries &&
		slices.Equal(a.Nested, b.Nested) &&
		slices.Equal(a.Former, b.Former)
}
