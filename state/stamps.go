package state

import "time"

// now is the clock, which tests set.
var now = time.Now

// NowUTC returns the current time as manifests write it: whole seconds, UTC.
func NowUTC() string {
	return now().UTC().Format("2006-01-02T15:04:05Z")
}

// NowColorStamp returns the current time in UTC with nanoseconds, so that two
// colours chosen in the same second still have an order.
func NowColorStamp() string {
	return now().UTC().Format(time.RFC3339Nano)
}

// ParseColorStamp reads a stamp of NowColorStamp. Anything else gives the zero
// time, which is older than every stamp.
func ParseColorStamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t
}
