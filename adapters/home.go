package adapters

import "cmp"

// Home is the person's home folder as agents take it from the environment, ""
// where it does not tell.
func Home(env func(string) string) string {
	return cmp.Or(env("HOME"), env("USERPROFILE"))
}
