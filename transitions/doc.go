// Package transitions is the state machine of a pane: neutral events in, the
// next pane out. It is pure. It knows no agent, no file, no clock and no
// environment; adapters turn payloads into events, and the command brings the
// time and stores the result.
//
// Every decision is one row of the table in table.go, and the row's id goes
// into the event log, so that an odd state leads to the row that made it.
package transitions
